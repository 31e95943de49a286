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
