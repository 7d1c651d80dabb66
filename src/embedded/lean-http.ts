// Imported before a program. An import of node:http reads all its exports, three of which load an HTTP client (undici)
// of some 6 MiB for each process. Nothing here uses them.
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) {
  Reflect.deleteProperty(process.getBuiltinModule('node:http'), name)
}
