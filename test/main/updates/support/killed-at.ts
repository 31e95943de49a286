// Ends this process by SIGKILL just before the change of a file whose number is in the environment. Loaded before a script.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const killedAt = Number(process.env.KILLED_AT)
let count = 0

function step(): void {
  count += 1
  if (count === killedAt) process.kill(process.pid, 'SIGKILL')
}

const { writeSync, renameSync, mkdirSync, rmSync, fsyncSync, writeFileSync } = fs
const changing = { writeSync, renameSync, mkdirSync, rmSync, fsyncSync, writeFileSync }
for (const [name, original] of Object.entries(changing))
  Object.defineProperty(fs, name, {
    value(...given: unknown[]) {
      step()
      return Reflect.apply(original, fs, given)
    },
  })
syncBuiltinESMExports()
