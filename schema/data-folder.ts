/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a station keeps its data when nobody says otherwise: `$GATEHOUSE_DATA`, or the platform's usual folder. */
export function defaultDataFolder(platform: string, env: Environment, home: string): string {
  if (env.GATEHOUSE_DATA) return env.GATEHOUSE_DATA
  if (platform === 'win32') return `${env.LOCALAPPDATA || `${home}\\AppData\\Local`}\\Gatehouse`
  if (platform === 'darwin') return `${home}/Library/Application Support/Gatehouse`
  // A relative XDG_DATA_HOME is to be ignored, by the XDG base directory specification.
  const base = env.XDG_DATA_HOME?.startsWith('/') ? env.XDG_DATA_HOME : `${home}/.local/share`
  return `${base}/gatehouse`
}
