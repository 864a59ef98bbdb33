/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class schemas (properties in slot order) of actors in cells, and of the structs in these actors.
 * class_schema.h explains the format. The layouts are those of engines 5.1 to 6.0.
 */
#include "ue/schema/class_schema.h"

/* clang-format off */
const char *const cs_ue_schema_actors[] = {
	"Actor:Object PrimaryActorTick=SActorTickFunction bNetTemporary bOnlyRelevantToOwner "
	"bAlwaysRelevant bReplicateMovement bCallPreReplication bCallPreReplicationForReplay "
	"bHidden bTearOff bForceNetAddressable bExchangedRoles bNetLoadOnClient "
	"bNetUseOwnerRelevancy bRelevantForNetworkReplays bRelevantForLevelBounds "
	"bReplayRewindable bAllowTickBeforeBeginPlay bAutoDestroyWhenFinished bCanBeDamaged "
	"bBlockInput bCollideWhenPlacing bFindCameraComponentWhenViewTarget "
	"bGenerateOverlapEventsDuringLevelStreaming bIgnoresOriginShifting "
	"bEnableAutoLODGeneration bIsEditorOnlyActor bActorSeamlessTraveled@02 bReplicates "
	"bCanBeInCluster bAllowReceiveTickEventOnDedicatedServer "
	"bReplicateUsingRegisteredSubObjectList bActorEnableCollision bActorIsBeingDestroyed "
	"bAsyncPhysicsTickEnabled "
	"UpdateOverlapsMethodDuringLevelStreaming=EEActorUpdateOverlapsMethod "
	"DefaultUpdateOverlapsMethodDuringLevelStreaming=EEActorUpdateOverlapsMethod "
	"RemoteRole=EENetRole@27 InitialLifeSpan=f CustomTimeDilation=f RemoteRole=EENetRole@01 "
	"RayTracingGroupId=i AttachmentReplication=SRepAttachment "
	"ReplicatedMovement=SRepMovement Owner=o NetDriverName=n Role=EENetRole "
	"NetDormancy=EENetDormancy "
	"SpawnCollisionHandlingMethod=EESpawnActorCollisionHandlingMethod "
	"AutoReceiveInput=EEAutoReceiveInput InputPriority=i InputComponent=o NetTag=i@37 "
	"NetCullDistanceSquared=f NetTag=i@02 NetUpdateFrequency=f MinNetUpdateFrequency=f "
	"NetPriority=f PhysicsReplicationMode=EEPhysicsReplicationMode@17 Instigator=o "
	"Children=Ao RootComponent=o HLODLayer=o@57 Layers=An ParentComponent=o Tags=An "
	"OnTakeAnyDamage=M OnTakePointDamage=M OnTakeRadialDamage=M OnActorBeginOverlap=M "
	"OnActorEndOverlap=M OnBeginCursorOver=M OnEndCursorOver=M OnClicked=M OnReleased=M "
	"OnInputTouchBegin=M OnInputTouchEnd=M OnInputTouchEnter=M OnInputTouchLeave=M "
	"OnActorHit=M OnDestroyed=M OnEndPlay=M InstanceComponents=Ao "
	"BlueprintCreatedComponents=Ao",
	"ActorComponentTickFunction:TickFunction",
	"ActorTickFunction:TickFunction",
	"BoundsCacheElement:@47 bIsValid Hash=u Value=SBoxSphereBounds",
	"BoxSphereBounds: Origin=SVector BoxExtent=SVector SphereRadius=d",
	"Brush:Actor BrushType=EEBrushType BrushColor=SColor PolyFlags=i bColored "
	"bSolidWhenSelected bPlaceableFromClassBrowser bNotForClientOrServer Brush=o "
	"BrushComponent=o bInManipulation SavedSelections=ASGeomSelection",
	"CustomPrimitiveData: Data=Af",
	"DecalActor:Actor Decal=o",
	"DirectionalLight:Light",
	"ExponentialHeightFog:Info Component=o bEnabled",
	"ExponentialHeightFogData: FogDensity=f FogHeightFalloff=f FogHeightOffset=f",
	"ISMPartitionActor:PartitionActor",
	"Info:Actor",
	"InstancedFoliageActor:ISMPartitionActor",
	"InstancedStaticMeshInstanceData: Transform=SMatrix",
	"InstancedStaticMeshMappingInfo:",
	"Landscape:LandscapeProxy bGrassEnabled@67",
	"LandscapeGrassName:@67 Name=n",
	"LandscapePerLODMaterialOverride: LODIndex=i Material=o",
	"LandscapeProxy:PartitionActor SplineComponent=o LandscapeGuid=SGuid "
	"OriginalLandscapeGuid=SGuid@37 bEnableNanite@17 "
	"PerLODOverrideMaterials=ASLandscapePerLODMaterialOverride "
	"bDisableRuntimeGrassMapGeneration@27 LandscapeSectionOffset=SIntPoint@04 "
	"bEnableGrass@77 MaxLODLevel=i ComponentScreenSizeToUseSubSections=f@03 LOD0ScreenSize=f "
	"LODGroupKey=u@17 LOD0DistributionSetting=f LODDistributionSetting=f "
	"ScalableLOD0ScreenSize=SPerQualityLevelFloat@27 "
	"ScalableLOD0DistributionSetting=SPerQualityLevelFloat@27 "
	"ScalableLODDistributionSetting=SPerQualityLevelFloat@27 bUseScalableLODSettings@27 "
	"LODBlendRange=f@27 StaticLightingLOD=i DefaultPhysMaterial=o "
	"StreamingDistanceMultiplier=f LandscapeMaterial=o LandscapeHoleMaterial=o "
	"RuntimeVirtualTextures=Ao bSetCreateRuntimeVirtualTextureVolumes "
	"bVirtualTextureRenderWithQuad@17 bVirtualTextureRenderWithQuadHQ@17 "
	"VirtualTextureNumLods=i VirtualTextureLodBias=i "
	"VirtualTextureRenderPassType=EERuntimeVirtualTextureMainPassType "
	"NegativeZBoundsExtension=f PositiveZBoundsExtension=f LandscapeComponents=Ao "
	"CollisionComponents=Ao FoliageComponents=Ao NaniteComponent=o NaniteComponents=Ao@17 "
	"bHasLandscapeGrass@01 GrassTypesMaxDiscardDistance=f@27 StaticLightingResolution=f "
	"CastShadow bCastDynamicShadow bCastStaticShadow "
	"ShadowCacheInvalidationBehavior=EEShadowCacheInvalidationBehavior@17 bCastContactShadow "
	"bCastFarShadow bCastHiddenShadow bCastShadowAsTwoSided bAffectDistanceFieldLighting "
	"bAffectDynamicIndirectLighting@37 bAffectIndirectLightingWhileHidden@37 "
	"LightingChannels=SLightingChannels bUseMaterialPositionOffsetInStaticLighting "
	"NonNaniteVirtualShadowMapConstantDepthBias=f@27 "
	"NonNaniteVirtualShadowMapInvalidationHeightErrorThreshold=f@27 "
	"NonNaniteVirtualShadowMapInvalidationScreenSizeLimit=f@27 bHoldout@37 "
	"bRenderCustomDepth CustomDepthStencilWriteMask=EERendererStencilMask "
	"CustomDepthStencilValue=i LDMaxDrawDistance=f "
	"LightmassSettings=SLightmassPrimitiveSettings "
	"GrassTypesOverrides=PSLandscapeGrassName,o@67 CollisionMipLevel=i "
	"SimpleCollisionMipLevel=i CollisionThickness=f@00 BodyInstance=SBodyInstance "
	"bGenerateOverlapEvents bBakeMaterialPositionOffsetIntoCollision "
	"RegisteredToSubsystem=o@47 ComponentSizeQuads=i SubsectionSizeQuads=i NumSubsections=i "
	"bUsedForNavigation bFillCollisionUnderLandscapeForNavmesh "
	"NavigationGeometryGatheringMode=EENavDataGatheringMode@17 bUseDynamicMaterialInstance "
	"NavigationGeometryGatheringMode=EENavDataGatheringMode@00 "
	"bUseLandscapeForCullingInvisibleHLODVertices bHasLayersContent "
	"bUseCompressedHeightmapStorage@15 bStripPhysicsWhenCookedClient@27 "
	"bStripPhysicsWhenCookedServer@27 bStripGrassWhenCookedClient@27 "
	"bStripGrassWhenCookedServer@27 TargetLayers=Pn,SLandscapeTargetLayerSettings@37 "
	"SectionBase=SIntPoint@57",
	"LandscapeStreamingProxy:LandscapeProxy LandscapeActor=z@00 LandscapeActorRef=O@17 "
	"OverriddenSharedProperties=Ks@11 OverriddenSharedProperties=Kn@27",
	"LandscapeTargetLayerSettings:@37 LayerInfoObj=o",
	"Light:Actor LightComponent=o bEnabled",
	"MatteBoxFlag:@47 Pitch=f Roll=f Length=f",
	"MeshDeformerInstanceSet:@27 DeformerInstances=Ao",
	"NaniteSettings:@17 bAllowMaskedMaterials",
	"NavAgentSelector: bSupportsAgent0 bSupportsAgent1 bSupportsAgent2 bSupportsAgent3 "
	"bSupportsAgent4 bSupportsAgent5 bSupportsAgent6 bSupportsAgent7 bSupportsAgent8 "
	"bSupportsAgent9 bSupportsAgent10 bSupportsAgent11 bSupportsAgent12 bSupportsAgent13 "
	"bSupportsAgent14 bSupportsAgent15 bSupportsAgent16@67 bSupportsAgent17@67 "
	"bSupportsAgent18@67 bSupportsAgent19@67 bSupportsAgent20@67 bSupportsAgent21@67 "
	"bSupportsAgent22@67 bSupportsAgent23@67 bSupportsAgent24@67 bSupportsAgent25@67 "
	"bSupportsAgent26@67 bSupportsAgent27@67 bSupportsAgent28@67 bSupportsAgent29@67 "
	"bSupportsAgent30@67",
	"NavigationObjectBase:Actor CapsuleComponent=o GoodSprite=o BadSprite=o bIsPIEPlayerStart",
	"NavigationSystemConfig:Object NavigationSystemClass=SSoftClassPath "
	"SupportedAgentsMask=SNavAgentSelector DefaultAgentName=n "
	"InvokerGenerationModeOverride=EENavConfigOverride@77 "
	"PreserveTilesOutsideInvokerRadiusOverride=EENavConfigOverride@77 "
	"ProgressiveBuildOverride=EENavConfigOverride@77 bIsOverriden",
	"NavigationSystemModuleConfig:NavigationSystemConfig "
	"bDirtyNavDataPackageOnNavigationGenerationFinished@67 bStrictlyStatic bCreateOnClient "
	"bAutoSpawnMissingNavData bSpawnNavDataInNavBoundsLevel",
	"NetViewer: Connection=o InViewer=o ViewTarget=o ViewLocation=SVector ViewDir=SVector",
	"PSCPool:@06 FreeElements=ASPSCPoolElem",
	"PSCPoolElem:@06 PSC=o",
	"PackedLevelActor:LevelInstance",
	"PartitionActor:Actor",
	"PerQualityLevelFloat:@27 Default=f PerQuality=Pi,f",
	"PlayerStart:NavigationObjectBase PlayerStartTag=n",
	"PointLight:Light PointLightComponent=o",
	"RepAttachment: AttachParent=o LocationOffset=SVector_NetQuantize100 "
	"RelativeScale3D=SVector_NetQuantize100 RotationOffset=SRotator AttachSocket=n "
	"AttachComponent=o",
	"RepMovement: LinearVelocity=SVector AngularVelocity=SVector Location=SVector "
	"Rotation=SRotator Acceleration=SVector@37 bSimulatedPhysicSleep bRepPhysics "
	"bRepAcceleration@37 TeleportSeq=B@77 ServerFrame=i ServerPhysicsHandle=i "
	"LocationQuantizationLevel=EEVectorQuantization "
	"VelocityQuantizationLevel=EEVectorQuantization "
	"RotationQuantizationLevel=EERotatorQuantization",
	"ReplicatedStaticActorDestructionInfo: ObjClass=o",
	"SkeletalMeshActor:Actor bShouldDoAnimNotifies bWakeOnLevelStart@00 "
	"SkeletalMeshComponent=o ReplicatedMesh=o ReplicatedPhysAsset=o ReplicatedMaterial0=o "
	"ReplicatedMaterial1=o",
	"SkyAtmosphere:Info SkyAtmosphereComponent=o",
	"SkyLight:Info LightComponent=o bEnabled",
	"SpotLight:Light SpotLightComponent=o",
	"StaticMeshActor:Actor StaticMeshComponent=o bStaticMeshReplicateMovement "
	"StaticMeshPhysicsReplicationMode=EEPhysicsReplicationMode@17 "
	"NavigationGeometryGatheringMode=EENavDataGatheringMode",
	"StaticMeshComponentLODInfo:",
	"StreamingTextureBuildInfo: PackedRelativeBox=u TextureLevelIndex=i TexelFactor=f",
	"TargetPoint:Actor",
	"TickFunction: TickGroup=EETickingGroup EndTickGroup=EETickingGroup bTickEvenWhenPaused "
	"bCanEverTick bStartWithTickEnabled bAllowTickOnDedicatedServer TickInterval=f",
	"TriggerBase:Actor CollisionComponent=o",
	"TriggerBox:TriggerBase",
	"Volume:Brush",
	"VolumetricCloud:Info VolumetricCloudComponent=o",
	"WalkableSlopeOverride: WalkableSlopeBehavior=EEWalkableSlopeBehavior "
	"WalkableSlopeAngle=f",
	NULL,
};
/* clang-format on */
