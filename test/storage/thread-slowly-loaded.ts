// A thread that takes many turns until it is loaded, and notes when it is.

import { workerData } from 'node:worker_threads'
import { sayLoaded } from '../../server/storage/thread.ts'

const loaded: Int32Array = workerData
for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
Atomics.store(loaded, 0, 1)
sayLoaded()
// It would not end by itself.
setInterval(() => undefined, 1000)
