import type { Shell } from '../main/common/channels.ts'

declare global {
  interface Window {
    /** The shell that shows this page; none in a browser that somebody opened. */
    readonly gatehouse?: Shell
  }
}
