import type { BrandedPlace, RoomLook } from '../../store/branding/sender.ts'

/** The name that a mail is from; none: as the installation has it. */
export const fromNameOf = (look: Pick<RoomLook, 'sender_name'> | undefined): { from_name?: string } =>
  look?.sender_name ? { from_name: look.sender_name } : {}

/** Whose logo an enqueued mail is sent with. */
export const logoOf = ({ organization_id, workspace_id }: BrandedPlace): { logo_of: BrandedPlace } => ({
  logo_of: { organization_id, workspace_id },
})
