import { isVersion } from '../../schema/updates/release.ts'
import {
  noUpdates,
  type UpdateState,
  updatesIn,
  type WantedUpdate,
} from '../../schema/updates/update-files.ts'
import { jsonIn } from './durable-files.ts'

/** What is noted of a data folder; as if nothing were where nothing of it can be read. */
export function readUpdateState(dataFolder: string): UpdateState {
  const value = jsonIn(updatesIn(dataFolder).state)
  return typeof value === 'object' && value !== null ? { ...noUpdates, ...value } : noUpdates
}

/** What the server has asked for in a file; null where it has asked for nothing. */
export function readWanted(file: string): WantedUpdate | null {
  const value = jsonIn(file)
  if (typeof value !== 'object' || value === null) return null
  const { version, list, hasCopy, failed }: { [name in keyof WantedUpdate]?: unknown } = value
  if (typeof version !== 'string' || !isVersion(version) || typeof list !== 'string') return null
  const asked = { version, list, hasCopy: hasCopy === true }
  return failed === 'no room' || failed === 'not copied' ? { ...asked, failed } : asked
}
