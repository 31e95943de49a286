import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { Environment } from '../../schema/data-folder.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const MAC_PROGRAMS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
]

/** Where a Chromium may lie, best first; `$CHROMIUM`, when set, is the only place. */
export function chromiumCandidates(platform: NodeJS.Platform, env: Environment): readonly string[] {
  if (env.CHROMIUM) return [env.CHROMIUM]
  if (platform === 'darwin') return MAC_PROGRAMS
  if (platform === 'win32') {
    const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((name) => !!name)
    return folders.flatMap((folder) => WINDOWS_PROGRAMS.map((program) => win32.join(folder ?? '', program)))
  }
  const folders = new Set([
    ...(env.PATH ?? '').split(':').filter((name) => name !== ''),
    '/usr/bin',
    '/snap/bin',
  ])
  return NAMES.flatMap((name) => [...folders].map((folder) => posix.join(folder, name)))
}

/** The Chromium of this machine, or null. */
export function findChromium(platform: NodeJS.Platform, env: Environment): string | null {
  return chromiumCandidates(platform, env).find((path) => existsSync(path)) ?? null
}

/** Whether a window can be shown at all. */
export function hasDisplay(platform: NodeJS.Platform, env: Environment): boolean {
  return platform === 'win32' || platform === 'darwin' || !!env.DISPLAY || !!env.WAYLAND_DISPLAY
}

/** What a Chromium is to do. */
interface ChromiumOptions {
  readonly profile: string
  readonly kiosk: boolean
  /** Chromium does not start as root with its own sandbox. */
  readonly root: boolean
  /** The session has no X server. */
  readonly waylandOnly: boolean
}

// Shown until the server's page is loaded through the pipe: its address holds a key, and every user of the
// machine can read the arguments of a process.
const EMPTY_PAGE = 'data:text/html,<title>Gatehouse</title><body style="background:%2316202a">'

/** Chromium's arguments for a station's screen. It ends by itself when the pipe to the shell closes. */
export function chromiumArguments(options: ChromiumOptions): readonly string[] {
  const { profile, kiosk, root, waylandOnly } = options
  return [
    `--app=${EMPTY_PAGE}`,
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
    // What a page of a kiosk prints goes to the usual printer, without a dialogue.
    ...(kiosk ? ['--kiosk', '--kiosk-printing'] : ['--window-size=1280,800']),
    ...(root ? ['--no-sandbox'] : []),
    ...(waylandOnly ? ['--ozone-platform=wayland'] : []),
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-extensions',
    '--disable-features=Translate',
    '--disable-pinch',
    '--overscroll-history-navigation=0',
    '--disable-session-crashed-bubble',
    '--hide-crash-restore-bubble',
    '--noerrdialogs',
    '--password-store=basic',
    '--autoplay-policy=no-user-gesture-required',
    '--auto-accept-camera-and-microphone-capture',
  ]
}

/**
 * The environment of a Chromium with that profile. On Linux it reads names of files by the locale, and where that is not
 * installed its storage ends again and again over a folder such as `Tür`: then it gets one that every system has.
 */
export function chromiumEnv(platform: NodeJS.Platform, env: Environment, profile: string): Environment {
  if (platform !== 'linux' || /^[ -~]*$/.test(profile)) return env
  const language = env.LANGUAGE || env.LC_ALL || env.LC_MESSAGES || env.LANG
  return { ...env, ...(language ? { LANGUAGE: language } : {}), LC_ALL: 'C.UTF-8' }
}
