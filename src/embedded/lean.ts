import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { freeWhenIdle } from './free-memory.ts'

// Imported before a program that stays running. Leaves out what nothing here uses, and frees memory that is not in use.
if (isMainThread) freeWhenIdle()

// An import of node:http reads all its exports, three of which load an HTTP client (undici) of some 6 MiB.
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) {
  Reflect.deleteProperty(process.getBuiltinModule('node:http'), name)
}

// The messages of zod in 60 languages, some 3 MiB. Its English is a module of its own.
const LOCALES = '../locales/index.js'
const NOTHING = { url: 'data:text/javascript,', shortCircuit: true }
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === LOCALES && context.parentURL?.includes('/node_modules/zod/') ? NOTHING : next(specifier, context),
})
