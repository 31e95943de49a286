import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { app, dialog } from 'electron'
import { defaultDataFolder } from '../schema/data-folder.ts'
import { readShellOptions } from './common/options.ts'
import { runElectronShell } from './electron/electron-shell.ts'

// A packaged program has no script among its arguments.
const options = readShellOptions(process.argv.slice(app.isPackaged ? 1 : 2), true)
const dataFolder = resolve(options.data ?? defaultDataFolder(process.platform, process.env, homedir()))

runElectronShell({ dataFolder, kiosk: options.kiosk }).catch((error: Error) => {
  dialog.showErrorBox('Gatehouse cannot start', error.message)
  app.exit(1)
})
