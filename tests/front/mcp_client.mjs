// SPDX-License-Identifier: Apache-2.0
// A client of the protocol's official SDK: node mcp_client.mjs PROGRAM WORLD
import assert from "node:assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, world] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: program, args: ["--mcp"] }));
assert.equal(client.getServerVersion().name, "cellscope");
await client.ping();

const names = (await client.listTools()).tools.map((tool) => tool.name);
assert.deepEqual(names, ["open", "sql", "explain", "why", "map", "diff", "step", "more"]);

async function call(name, args) {
	const answer = await client.callTool({ name, arguments: args });
	return { text: answer.content[0].text, failed: answer.isError, meta: answer._meta };
}
assert.match((await call("open", { file: world })).text, /^Valley: 44 cells/);
assert.ok((await call("sql", { query: "SELECT nothing FROM cells" })).failed);

// pages put together are the whole: as many rows as there are actors
let page = await call("sql", { query: "SELECT * FROM actors" });
let whole = page.text;
let pages = 1;
while (page.meta) {
	page = await call("more", { cursor: page.meta["cellscope/nextCursor"] });
	whole += page.text;
	pages++;
}
assert.ok(pages > 1);
assert.equal(JSON.parse(whole).rows.length, 60);

await call("step", { frames: 30, source: "0,0" });
assert.match((await call("map", {})).text, /activated/);
assert.match((await call("why", { place: "L0:5,1" })).text, /out_of_range/);
assert.match((await call("explain", { place: "Rock_1187" })).text, /taken/);
assert.match((await call("diff", { left: world })).text, /^same: 44 cells/);

const resources = (await client.listResources()).resources;
for (const { uri, name } of resources) {
	const { contents } = await client.readResource({ uri });
	const schema = JSON.parse(contents[0].text);
	assert.equal(schema.table, name);
	for (const column of schema.columns) {
		const { failed } = await call("sql", { query: `SELECT "${column.name}" FROM "${name}" LIMIT 0` });
		assert.ok(!failed, `${name}.${column.name}`);
	}
}
assert.ok(resources.length > 20);
await assert.rejects(client.readResource({ uri: "cellscope://table/none" }), /no resource with this uri/);
await assert.rejects(client.callTool({ name: "run", arguments: { line: "map" } }), /no tool with this name/);
await client.close();
console.log("done");
