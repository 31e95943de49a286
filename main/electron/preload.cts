// Runs before the page, in its sandbox: the one bridge between the page and the shell. A sandboxed preload
// is a single CommonJS file that may load nothing but electron.
import type { Answer, Ask, Channel, Shell } from '../common/channels.ts' with { 'resolution-mode': 'import' }

const { contextBridge, ipcRenderer } = require('electron') as typeof import('electron')

function ask<C extends Channel>(channel: C, value: Ask<C>): Promise<Answer<C>> {
  return ipcRenderer.invoke(channel, value)
}

const shell: Shell = {
  state: () => ask('window:state', null),
  leave: (pin) => ask('window:leave', { pin }),
  checkPin: (pin) => ask('window:check-pin', { pin }),
  setPin: (current, next) => ask('window:set-pin', { current, next }),
  printers: () => ask('print:printers', null),
  print: (job) => ask('print:page', job),
}

contextBridge.exposeInMainWorld('gatehouse', shell)
