import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Loaded by mocha before anything else: what the tests and the programs they start are made of is compiled once, and not
// again by each of hundreds of processes. A server that is started then needs half of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../../test-output/compiled/', import.meta.url))
enableCompileCache(process.env.NODE_COMPILE_CACHE)
