import { hardwareBody, initializationBody } from '../described/account-bodies.ts'
import { textShape, wholeOrNull } from '../described/shapes.ts'
import { exactly, the } from '../json-schema.ts'
import { type Action, bodyLike, defineAction, hidden, org } from './action.ts'

const device = { tag: 'device', answers: { '200': 'The device.' } } as const

export const deviceRevokeByOrganizer = defineAction({
  name: 'device_revoke_by_organizer',
  tag: 'device',
  method: 'post',
  path: `${org}/devices/:id/revoke/`,
  summary: 'Takes a device its access for good.',
  needs: 'can_change_organizer_settings',
  shows: the('Device'),
  answers: { '200': 'The device.', ...hidden },
})

export const ownDeviceInitialize = defineAction({
  name: 'own_device_initialize',
  ...device,
  method: 'post',
  path: '/api/v1/device/initialize',
  summary: 'Exchanges an initialization token for a device token.',
  needs: 'nothing',
  body: bodyLike(initializationBody),
  shows: the('OwnDevice'),
})

export const ownDeviceUpdate = defineAction({
  name: 'own_device_update',
  ...device,
  method: 'post',
  path: '/api/v1/device/update',
  summary: 'Tells what a device runs on and runs.',
  needs: null,
  body: bodyLike(hardwareBody),
  shows: the('OwnDevice'),
})

export const ownDeviceRoll = defineAction({
  name: 'own_device_roll',
  ...device,
  method: 'post',
  path: '/api/v1/device/roll',
  summary: 'Exchanges the device token for a new one.',
  needs: null,
  shows: the('OwnDevice'),
})

export const ownDeviceRevoke = defineAction({
  name: 'own_device_revoke',
  ...device,
  method: 'post',
  path: '/api/v1/device/revoke',
  summary: 'Gives up the device’s own access for good.',
  needs: null,
  shows: the('OwnDevice'),
})

export const ownDeviceInfo = defineAction({
  name: 'own_device_info',
  ...device,
  method: 'get',
  path: '/api/v1/device/info',
  summary: 'The device and this server.',
  needs: null,
  shows: exactly({
    device: the('OwnDevice'),
    server: exactly({ version: the('Version') }),
    medium_key_sets: { type: 'array', maxItems: 0 },
  }),
})

export const deviceEventselection = defineAction({
  name: 'device_eventselection',
  tag: 'device',
  method: 'get',
  path: '/api/v1/device/eventselection',
  summary: 'The event, date and check-in list that the device should be set to now.',
  needs: null,
  query: ['current_event', 'current_subevent', 'current_checkinlist'],
  shows: exactly({
    event: exactly({ slug: textShape, name: textShape }),
    subevent: wholeOrNull,
    checkinlist: wholeOrNull,
  }),
  answers: { '200': 'What to change to.', '304': 'Keep the current ones.', '404': '' },
})

/** Endpoints of devices beyond the standard ones. */
export const deviceActions: readonly Action[] = [
  deviceRevokeByOrganizer,
  ownDeviceInitialize,
  ownDeviceUpdate,
  ownDeviceRoll,
  ownDeviceRevoke,
  ownDeviceInfo,
  deviceEventselection,
]
