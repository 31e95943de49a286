/** Why a station's server answers its screens and does nothing else. Names are the wire's own. */
export type Standstill =
  /** This version is new here, and is not found to be good yet. */
  | { readonly reason: 'update_trial'; readonly version: string }
  /** The data were written by a newer version, where that is known, than the one that runs. */
  | { readonly reason: 'newer_database'; readonly version: string; readonly written_by: string | null }
  /** The disk has no room for a start: so many bytes are to be freed. */
  | { readonly reason: 'disk_full'; readonly version: string; readonly missing: number }
