import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { BrowserWindowConstructorOptions } from 'electron'

/** The window of a station: sandboxed, without Node, and without a way out when it is a kiosk. */
export function windowOptions(preload: string, kiosk: boolean): BrowserWindowConstructorOptions {
  return {
    title: 'Gatehouse',
    width: 1280,
    height: 800,
    minWidth: 480,
    minHeight: 480,
    show: false,
    kiosk,
    fullscreen: kiosk,
    autoHideMenuBar: true,
    backgroundColor: '#16202a',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      devTools: !kiosk,
      spellcheck: false,
      navigateOnDragDrop: false,
      // The page plays its sounds without having been touched before.
      autoplayPolicy: 'no-user-gesture-required',
      // Scans are shown at once, whatever lies in front of the window.
      backgroundThrottling: false,
    },
  }
}

/**
 * Gives the preload script as a file that a window can load. A packaged program has it compiled; from sources
 * its types are removed first, because the sandbox reads a preload without Node's help.
 */
export function preloadFile(outputFolder: string): string {
  const compiled = join(import.meta.dirname, 'preload.cjs')
  if (existsSync(compiled)) return compiled
  const source = readFileSync(join(import.meta.dirname, 'preload.cts'), 'utf8')
  const output = join(outputFolder, 'preload.cjs')
  mkdirSync(outputFolder, { recursive: true, mode: 0o700 })
  writeFileSync(output, stripTypeScriptTypes(source), { mode: 0o600 })
  return output
}
