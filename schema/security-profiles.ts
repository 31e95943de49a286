import { devicePermissions, type Requirement } from './permissions.ts'

/**
 * Whom data is for, from those on who need the least of it: devices that only admit people, those that look people up
 * as well, and all who sell. Each is given what those before it are given.
 */
const audiences = ['entrance', 'checkin', 'sale'] as const
export type Audience = (typeof audiences)[number]

/** What a device can be for, and so which endpoints it may use and what it is given. */
export const securityProfiles = ['full', 'scan', 'kiosk', 'gate', 'boxoffice'] as const
export type SecurityProfile = (typeof securityProfiles)[number]

const given: Readonly<Record<SecurityProfile, Audience>> = {
  full: 'sale',
  scan: 'checkin',
  kiosk: 'entrance',
  gate: 'entrance',
  boxoffice: 'sale',
}

/** The audience that a device is by its profile; the one that is given the least where the profile is unknown. */
export function audienceOfProfile(profile: string): Audience {
  const name = securityProfiles.find((one) => one === profile)
  return name === undefined ? 'entrance' : given[name]
}

/** Whether what is meant for one audience is given to another one. */
export const isGivenTo = (meant: Audience, audience: Audience): boolean =>
  audiences.indexOf(audience) >= audiences.indexOf(meant)

const scanning: Requirement = ['can_change_orders', 'can_checkin_orders']

/** What somebody must be allowed themselves at the events of a device before they give it a profile. */
export const profileNeeds: Readonly<Record<SecurityProfile, readonly Requirement[]>> = {
  full: devicePermissions,
  scan: ['can_view_orders', scanning],
  kiosk: [scanning],
  gate: [scanning],
  boxoffice: devicePermissions,
}
