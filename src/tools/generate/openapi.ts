import { openApi } from '../../contract/openapi.ts'

// `npm run openapi` prints the API as an OpenAPI document.

console.log(JSON.stringify(openApi(), null, 2))
