import { defineResource } from '../../resource.ts'
import { pageLayout } from './page-layout-fields.ts'

/** How a badge looks. */
export const badgeLayout = defineResource({ name: 'badge_layout', path: 'badgelayouts', ...pageLayout })
