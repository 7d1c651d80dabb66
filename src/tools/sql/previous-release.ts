/** The release whose nodes work while this one migrates. Both move with each release. */
export const PREVIOUS_RELEASE = {
  revision: '526fdcd78f80aceda61e9245068b63a43a66cbaa',
  lastMigration: '0114_left_out_of_downloads.sql',
}
