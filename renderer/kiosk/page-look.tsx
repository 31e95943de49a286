import style from './page-look.module.css'

/** The classes that the pages of a kiosk share. */
export const pageLook = {
  buttons: style.buttons,
  code: style.code,
  field: style.field,
  fields: style.fields,
  form: style.form,
  hint: style.hint,
  objection: style.objection,
  picture: style.picture,
  prints: style.prints,
  ticket: style.ticket,
  waiver: style.waiver,
  still: style.still,
} as const
