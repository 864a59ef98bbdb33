/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class schemas of World Partition, properties in slot order: worlds, levels, cells, hashes, data
 * layers, HLOD, enums. class_schema.h explains the format. The layouts are those of engines 5.1 to
 * 6.0.
 */
#include "ue/schema/class_schema.h"

/* clang-format off */
const char *const cs_ue_schema_world[] = {
	"ActorContainerPath:@37 ContainerGuids=ASGuid",
	"Box2f:@67 min=SVector2f max=SVector2f bIsValid",
	"ContentBundleManager:Object",
	"DataAsset:Object@27 NativeClass=o@25",
	"DataLayerAsset:Object@01|DataAsset@27 DataLayerType=EEDataLayerType "
	"bSupportsActorFilters@17 DebugColor=SColor LoadFilter=EEDataLayerLoadFilter@27",
	"DataLayerInstance:Object InitialRuntimeState=EEDataLayerRuntimeState "
	"InitialRuntimeStateOverrideCVarName=n@77 Parent=o Children=Ao",
	"DataLayerInstanceNames:@27 bIsFirstDataLayerExternal DataLayers=An",
	"DataLayerInstancePrivate:DataLayerInstance@17 ShortName=s DataLayerAsset=o",
	"DataLayerInstanceWithAsset:DataLayerInstance DataLayerAsset=o",
	"DeprecatedDataLayerInstance:DataLayerInstance Label=n DeprecatedDataLayerFName=n "
	"DataLayerType=EEDataLayerType DebugColor=SColor",
	"ExternalDataLayerAsset:DataLayerAsset@27 UID=SExternalDataLayerUID",
	"ExternalDataLayerInstance:DataLayerInstanceWithAsset@27",
	"ExternalDataLayerUID:@27 Value=u",
	"Level:Object OwningWorld=o Model=o ModelComponents=Ao ActorCluster=o "
	"NumTextureStreamingUnbuiltComponents=i NumTextureStreamingDirtyResources=i "
	"LevelScriptActor=o NavListStart=o NavListEnd=o NavDataChunks=Ao LightmapTotalSize=f "
	"ShadowmapTotalSize=f StaticNavigableGeometry=ASVector StreamingTextureGuids=ASGuid "
	"StreamingTextures=An PackedTextureStreamingQualityLevelFeatureLevel=u "
	"LevelBuildDataId=SGuid MapBuildData=o LightBuildLevelOffset=SIntVector "
	"bIsLightingScenario bTextureStreamingRotationChanged "
	"bStaticComponentsRegisteredInStreamingManager bIsVisible bIsPartitioned WorldSettings=o "
	"WorldDataLayers=o WorldPartitionRuntimeCell=O AssetUserData=Ao "
	"DestroyedReplicatedStaticActors=ASReplicatedStaticActorDestructionInfo",
	"LevelCollection: GameState=o NetDriver=o DemoNetDriver=o PersistentLevel=o Levels=Ko",
	"LevelInstance:Actor LevelInstanceComponent=o@17 CookedWorldAsset=O "
	"LevelInstanceSpawnGuid=SGuid",
	"LevelScriptActor:Actor bInputEnabled",
	"LevelStreaming:Object WorldAsset=O StreamingPriority=i PackageNameToLoad=n "
	"LODPackageNames=An LevelTransform=STransform bClientOnlyVisible LevelLODIndex=i "
	"bShouldBeVisible bShouldBeLoaded bLocked bIsStatic bShouldBlockOnLoad "
	"bShouldBlockOnUnload bDisableDistanceStreaming bDrawOnLevelStatusMap "
	"LevelColor=SLinearColor EditorStreamingVolumes=Ao MinTimeBetweenVolumeUnloadRequests=f "
	"OnLevelLoaded=M OnLevelUnloaded=M OnLevelShown=M OnLevelHidden=M LoadedLevel=o "
	"PendingUnloadLevel=o",
	"LevelStreamingDynamic:LevelStreaming bInitiallyLoaded bInitiallyVisible",
	"Matrix: XPlane=SPlane YPlane=SPlane ZPlane=SPlane WPlane=SPlane",
	"Object:",
	"RuntimePartition:Object@17 Name=n@37 bBlockOnSlowStreaming@37 bClientOnlyVisible@37 "
	"Priority=i@37 BoundsMethod=EERuntimePartitionCellBoundsMethod@37 LoadingRange=i@37 "
	"DebugColor=SLinearColor@37 HLODIndex=i@37",
	"RuntimePartitionDesc:@17 Name=n@37 Class=o@37 MainLayer=o@37 "
	"HLODSetups=ASRuntimePartitionHLODSetup@37",
	"RuntimePartitionHLODSetup:@17 HLODLayer=o@11 Name=n@27 HLODLayers=Ao@22 "
	"PartitionLayer=o@57 bIsSpatiallyLoaded@27 PartitionLayer=o@14",
	"RuntimePartitionLHGrid:RuntimePartition@27",
	"RuntimePartitionLevelStreaming:RuntimePartition@17",
	"RuntimePartitionPersistent:RuntimePartition@17",
	"RuntimePartitionStreamingData:@27 Name=n LoadingRange=i StreamingCells=Ao@22 "
	"NonStreamingCells=Ao@22 SpatiallyLoadedCells=Ao@37 NonSpatiallyLoadedCells=Ao@37",
	"SpatialHashRuntimeGrid:",
	"SpatialHashSettings:@27 bUseAlignedGridLevels bSnapNonAlignedGridLevelsToLowerLevels",
	"SpatialHashStreamingGrid: GridName=n Origin=SVector CellSize=i LoadingRange=f "
	"bBlockOnSlowStreaming DebugColor=SLinearColor "
	"GridLevels=ASSpatialHashStreamingGridLevel WorldBounds=SBox bClientOnlyVisible "
	"HLODLayer=o@02 GridIndex=i@27 Settings=SSpatialHashSettings@27 "
	"InjectedGridLevels=ASSpatialHashStreamingGridLevel@27",
	"SpatialHashStreamingGridLayerCell: GridCells=Ao",
	"SpatialHashStreamingGridLevel: LayerCells=ASSpatialHashStreamingGridLayerCell "
	"LayerCellsMapping=Pl,i",
	"StreamingLevelsToConsider: StreamingLevels=Ao",
	"TopLevelAssetPath: PackageName=n AssetName=n",
	"Transform: Rotation=SQuat Translation=SVector Scale3D=SVector",
	"Vector: X=d Y=d Z=d",
	"Vector_NetQuantize100:Vector",
	"World:Object PersistentLevel=o NetDriver=o LineBatcher=o PersistentLineBatcher=o "
	"ForegroundLineBatcher=o NetworkManager=o PhysicsCollisionHandler=o "
	"PhysicsQueryHandler=o@47 ExtraReferencedObjects=Ao PerModuleDataObjects=Ao "
	"StreamingLevels=Ao StreamingLevelsToConsider=SStreamingLevelsToConsider "
	"ServerStreamingLevelsVisibility=o StreamingLevelsPrefix=s "
	"CurrentLevelPendingVisibility=o@03 CurrentLevelPendingInvisibility=o@03 "
	"LineBatchers[4]=o@47 MakingVisibleLevels=Ao@47 MakingInvisibleLevels=Ao@47 "
	"DemoNetDriver=o MyParticleEventManager=o@06 DefaultPhysicsVolume=o bAreConstraintsDirty "
	"NavigationSystem=o AuthorityGameMode=o GameState=o AISystem=o AvoidanceManager=o "
	"Levels=Ao LevelCollections=ASLevelCollection OwningGameInstance=o "
	"ParameterCollectionInstances=Ao CanvasForRenderingToTarget=o "
	"CanvasForDrawMaterialToRenderTarget=o PhysicsField=o LWILastAssignedUID=u@01 "
	"ComponentsThatNeedPreEndOfFrameSync=Ko "
	"ComponentsThatNeedPreEndOfFrameSync_AsyncTick=Ko@57 "
	"ComponentsThatNeedEndOfFrameUpdate=Ao "
	"ComponentsThatNeedEndOfFrameUpdate_AsyncTick=Ao@57 "
	"ComponentsThatNeedEndOfFrameUpdate_OnGameThread=Ao "
	"ComponentsThatNeedEndOfFrameMarkRenderStateDirty=Ao@57 WorldComposition=o "
	"ContentBundleManager=o PSCPool=SWorldPSCPool@06",
	"WorldDataLayers:Info RootExternalDataLayerInstance=o@27 DataLayerInstances=Ko "
	"ExternalPackageDataLayerInstances=Ko@27 LoadedExternalPackageDataLayerInstances=Ao@27 "
	"TransientDataLayerInstances=Ao@27 DeprecatedDataLayerNameToDataLayerInstance=Pn,o "
	"WorldDataLayers=Ko RepActiveDataLayerNames=An RepLoadedDataLayerNames=An "
	"RepEffectiveActiveDataLayerNames=An RepEffectiveLoadedDataLayerNames=An",
	"WorldPSCPool:@06 WorldParticleSystemPools=Po,SPSCPool",
	"WorldPartition:Object ActorDescContainer=o@01 RuntimeHash=o World=o@00 bEnableStreaming "
	"ServerStreamingMode=EEWorldPartitionServerStreamingMode@17 "
	"ServerStreamingOutMode=EEWorldPartitionServerStreamingOutMode@17 "
	"DataLayersLogicOperator=EEWorldPartitionDataLayersLogicOperator@27 "
	"bHasStandaloneHLOD@47 bExternalizeHLODAssets@67 bIsStandaloneHLODWorld@47 "
	"bDisableContentBundles@37 ReferencedObjects=Ko@47 DataLayerManager=o@17 "
	"ExternalDataLayerManager=o@27 StreamingPolicy=o",
	"WorldPartitionHLOD:Actor LODLevel=u bRequireWarmup SourceCell=O@00 SourceCellName=n@00 "
	"SourceCellGuid=SGuid@17 StandaloneHLODGuid=SGuid@47",
	"WorldPartitionHLODSourceActors:Object@17",
	"WorldPartitionHLODSourceActorsFromCell:WorldPartitionHLODSourceActors@17",
	"WorldPartitionLevelStreamingDynamic:LevelStreamingDynamic bShouldBeAlwaysLoaded "
	"StreamingCell=o OuterWorldPartition=o@01 OuterWorldPartition=O@27",
	"WorldPartitionLevelStreamingPolicy:WorldPartitionStreamingPolicy "
	"SourceWorldAssetPath=STopLevelAssetPath@17 SubObjectsToCellRemapping=Pn,n "
	"ContainerResolver=SWorldPartitionRuntimeContainerResolver@27 "
	"ExternalStreamingObjects=Ao@17 SubObjectsToExternalStreamingObjectsRemapping=Pn,o@37",
	"WorldPartitionRuntimeCell:Object bIsAlwaysLoaded DataLayers=An@01 ContentBounds=SBox@00 "
	"DebugInfo=SWorldPartitionRuntimeCellDebugInfo@00 Priority=i@01 bIsSpatiallyLoaded@47 "
	"DataLayers=SDataLayerInstanceNames@27 bClientOnlyVisible bIsHLOD "
	"bIsCustomHLODPlaceholderCell@57 bBlockOnSlowLoading ContentBundleID=SGuid "
	"CellDebugColor=SLinearColor@27 CellGuid=SGuid@17 SourceCellGuid=SGuid@17 "
	"RuntimeCellData=o@17",
	"WorldPartitionRuntimeCellData:Object@17 ContentBounds=SBox CellBounds=QSBox@27 "
	"GridName=n@27 Priority=i@27 HierarchicalLevel=i@27",
	"WorldPartitionRuntimeCellDataHashSet:WorldPartitionRuntimeCellData@37 bIs2D",
	"WorldPartitionRuntimeCellDataSpatialHash:WorldPartitionRuntimeCellData@17 "
	"Position=SVector@12 Position=SVector@57 position=SVector@34 Extent=f Level=i@11 "
	"GridName=n@11",
	"WorldPartitionRuntimeCellDebugInfo:@00 Name=s GridName=n CoordX=l CoordY=l CoordZ=l",
	"WorldPartitionRuntimeCellPropertyOverride:@37",
	"WorldPartitionRuntimeContainer:@27 "
	"ContainerInstances=Pn,SWorldPartitionRuntimeContainerInstance",
	"WorldPartitionRuntimeContainerInstance:@27 ActorGuid=SGuid ContainerPackage=n",
	"WorldPartitionRuntimeContainerResolver:@27 "
	"Containers=Pn,SWorldPartitionRuntimeContainer MainContainerPackage=n",
	"WorldPartitionRuntimeHash:Object",
	"WorldPartitionRuntimeHashSet:WorldPartitionRuntimeHash@17 "
	"NonSpatiallyLoadedRuntimeCells=Ao@11 RuntimePartitions=ASRuntimePartitionDesc@27 "
	"RuntimeStreamingData=ASRuntimePartitionStreamingData@27 "
	"WorldAssetStreamingObjects=PSGuid,o@37 "
	"StandaloneHLODActorToSourceCellsMap=PSGuid,SGuid@47 "
	"CustomHLODActorToSourceCellsMap=PSGuid,SGuid@57",
	""
	"WorldPartitionRuntimeLevelStreamingCell:WorldPartitionRuntimeSpatialHashCell@00|WorldPartitionRuntimeCell@17 "
	"LevelStreaming=o",
	"WorldPartitionRuntimeSpatialHash:WorldPartitionRuntimeHash "
	"UseAlignedGridLevels=EEWorldPartitionCVarProjectDefaultOverride@11 "
	"SnapNonAlignedGridLevelsToLowerLevels=EEWorldPartitionCVarProjectDefaultOverride@11 "
	"PlaceSmallActorsUsingLocation=EEWorldPartitionCVarProjectDefaultOverride@11 "
	"PlacePartitionActorsUsingLocation=EEWorldPartitionCVarProjectDefaultOverride@11 "
	"bEnableZCulling Settings=SSpatialHashSettings@27 "
	"StreamingGrids=ASSpatialHashStreamingGrid ExternalStreamingObjects=Ao@00 "
	"WorldAssetStreamingObjects=PSGuid,o@37",
	"WorldPartitionRuntimeSpatialHashCell:WorldPartitionRuntimeCell@00 Position=SVector "
	"Extent=f Level=i",
	"WorldPartitionStreamingPolicy:Object LoadedCells=Ko@22 "
	"ActivatedCells=SActivatedCells@22 ToActivateCells=Ao@22 ToLoadCells=Ao@22 "
	"CurrentState=SWorldPartitionUpdateStreamingCurrentState@37 "
	"CurrentStreamingPerformance=EEWorldPartitionStreamingPerformance@37 "
	"bCurrentBlockOnSlowStreaming@47 "
	"TargetState=SWorldPartitionUpdateStreamingTargetState@37 "
	"AsyncTaskCurrentState=SWorldPartitionUpdateStreamingCurrentState@37 "
	"AsyncTaskTargetState=SWorldPartitionUpdateStreamingTargetState@37 "
	"bShouldMergeStreamingSourceInfo@27",
	"WorldPartitionUpdateStreamingCurrentState:@37 LoadedCells=Ko "
	"ActivatedCells=SActivatedCells",
	"WorldPartitionUpdateStreamingTargetState:@37 ToLoadCells=Ao ToActivateCells=Ao "
	"ToDeactivateCells=Ao ToUnloadCells=Ao",
	"WorldSettings:Info VisibilityCellSize=i "
	"VisibilityAggressiveness=EEVisibilityAggressiveness bPrecomputeVisibility "
	"bPlaceCellsOnlyAlongCameraTracks bEnableWorldBoundsChecks bEnableNavigationSystem "
	"bEnableAISystem bUseAutomaticUGCNavigation@67 bEnableWorldComposition "
	"bUseClientSideLevelStreamingVolumes bEnableWorldOriginRebasing bWorldGravitySet "
	"bGlobalGravitySet bMinimizeBSPSections bForceNoPrecomputedLighting "
	"bForceVolumetricLightmapsOnly@37 bHighPriorityLoading bHighPriorityLoadingLocal "
	"bOverrideDefaultBroadphaseSettings bGenerateSingleClusterForLevel bAllowTimeDilation@47 "
	"bReuseAddressAndPort@17 AISystemClass=O LevelInstancePivotOffset=SVector "
	"NavigationSystemConfig=o NavigationSystemConfigOverride=o WorldPartition=o "
	"BaseNavmeshDataLayers=Ao WorldToMeters=f KillZ=f KillZDamageType=o WorldGravityZ=f "
	"GlobalGravityZ=f DefaultPhysicsVolumeClass=o PhysicsCollisionHandlerClass=o "
	"DefaultGameMode=o GameNetworkManagerClass=o PackedLightAndShadowMapTextureSize=i "
	"DefaultColorScale=SVector DefaultMaxDistanceFieldOcclusionDistance=f "
	"GlobalDistanceFieldViewDistance=f DynamicIndirectShadowsSelfShadowingIntensity=f "
	"VolumetricLightmapLoadingRange=f@37 NaniteSettings=SNaniteSettings@17 "
	"DefaultReverbSettings=SReverbSettings DefaultAmbientZoneSettings=SInteriorSettings "
	"DefaultBaseSoundMix=o TimeDilation=f CinematicTimeDilation=f DemoPlayTimeDilation=f "
	"MinGlobalTimeDilation=f MaxGlobalTimeDilation=f MinCinematicTimeDilation=f@47 "
	"MaxCinematicTimeDilation=f@47 MinUndilatedFrameTime=f MaxUndilatedFrameTime=f "
	"BroadphaseSettings=SBroadphaseSettings ReplicationViewers=ASNetViewer AssetUserData=Ao "
	"PauserPlayerState=o MaxNumberOfBookmarks=i DefaultBookmarkClass=o BookmarkArray=Ao "
	"LastBookmarkClass=o",
	"enum EDataLayerRuntimeState 0=Unloaded 1=Loaded 2=Activated",
	"enum EDataLayerType 0=Runtime 1=Editor 2=Unknown 3=Size",
	"enum ERuntimePartitionCellBoundsMethod 0=UseContent 1=UseCellBounds 2=UseMinContentCellBounds",
	"enum EComponentMobility 0=Static 1=Stationary 2=Movable",
	"enum EDataLayerLoadFilter 0=None 1=ClientOnly 2=ServerOnly",
	NULL,
};
/* clang-format on */
