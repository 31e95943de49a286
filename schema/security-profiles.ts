import { devicePermissions, type Requirement } from './permissions.ts'

/**
 * Whom data is for, from those on who need the least of it: devices that only admit people, those that look people up
 * as well, and all who sell. Each is given what those before it are given.
 */
const audiences = ['entrance', 'checkin', 'sale'] as const
export type Audience = (typeof audiences)[number]

/** What a device can be for, by the names that apps know: they leave out what their profile may not ask for. */
const appProfiles = [
  'full',
  'pretixscan',
  'pretixscan_online_kiosk',
  'pretixscan_online_noorders',
  'pretixpos',
] as const
type AppProfile = (typeof appProfiles)[number]

/** What stations are for, by names of our own. */
const stationProfiles = ['scan', 'kiosk', 'gate', 'boxoffice'] as const

/** What a device can be for, and so which endpoints it may use and what it is given. */
export const securityProfiles = [...appProfiles, ...stationProfiles] as const
export type SecurityProfile = (typeof securityProfiles)[number]

interface Profile {
  /** The profile that an app would have to know to behave like it. */
  readonly app: AppProfile
  readonly audience: Audience
  /** What somebody must be allowed themselves at the events of a device before they give it the profile. */
  readonly needs: readonly Requirement[]
}

const scanning: Requirement = ['can_change_orders', 'can_checkin_orders']

const all = { app: 'full', audience: 'sale', needs: devicePermissions } as const
const sale = { ...all, app: 'pretixpos' } as const
const search = {
  app: 'pretixscan',
  audience: 'checkin',
  needs: ['can_view_orders', 'can_manage_reusable_media', scanning],
} as const
const entrance = { app: 'pretixscan_online_kiosk', audience: 'entrance', needs: [scanning] } as const

const profiles: Readonly<Record<SecurityProfile, Profile>> = {
  full: all,
  pretixscan: search,
  pretixscan_online_kiosk: entrance,
  pretixscan_online_noorders: {
    app: 'pretixscan_online_noorders',
    audience: 'checkin',
    needs: ['can_view_orders', scanning],
  },
  pretixpos: sale,
  scan: search,
  kiosk: entrance,
  gate: entrance,
  boxoffice: sale,
}

const profileBy = (name: string): Profile | undefined => {
  const known = securityProfiles.find((one) => one === name)
  return known && profiles[known]
}

/** The audience that a device is by its profile; the one that is given the least where the profile is unknown. */
export const audienceOfProfile = (profile: string): Audience => profileBy(profile)?.audience ?? 'entrance'

/** The name of a profile as it is told to the device itself, which may be an app that knows no others. */
export const appProfileOf = (profile: string): string => profileBy(profile)?.app ?? profile

/** Whether a device with a profile sells. */
export const sellsBy = (profile: string): boolean => profileBy(profile)?.audience === 'sale'

/** Whether a device with a profile may say what became of a contradiction. */
export const settlesBy = (profile: string): boolean => profile === 'full'

/** Whether people are found by their e-mail at a device with a profile, and not by name and order alone. */
export const findsByContact = (profile: string): boolean => isGivenTo('checkin', audienceOfProfile(profile))

/** Whether what is meant for one audience is given to another one. */
export const isGivenTo = (meant: Audience, audience: Audience): boolean =>
  audiences.indexOf(audience) >= audiences.indexOf(meant)

/** What somebody must be allowed themselves at the events of a device before they give it a profile. */
export const profileNeeds = (profile: SecurityProfile): readonly Requirement[] => profiles[profile].needs
