import { fileBody } from '../body-limits.ts'
import { exactly } from '../json-schema.ts'
import { type Action, defineAction, fileAsBody } from './action.ts'

export const upload = defineAction({
  name: 'upload',
  tag: 'server',
  method: 'post',
  path: '/api/v1/upload',
  summary:
    'Keeps a picture or PDF, named in Content-Disposition, for a day; fields of other requests name it by its id.',
  needs: null,
  body: fileAsBody,
  bodyLimit: fileBody,
  bodyType: '*/*',
  shows: exactly({ id: { type: 'string' } }),
  answers: { '201': 'The id.', '400': '', '401': '', '413': 'The file is too large.' },
})

/** The upload of files. */
export const uploadActions: readonly Action[] = [upload]
