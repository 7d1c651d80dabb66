import { styled } from '@mui/material/styles'
import Table from '@mui/material/Table'

/** A table whose text begins and ends at the edges of its part. */
export const EdgeTable = styled(Table)({
  'td:first-of-type, th:first-of-type': { paddingLeft: 0 },
  'td:last-of-type, th:last-of-type': { paddingRight: 0 },
})
