import { api } from '../../../../contract/index.ts'
import type { TextPolicy } from '../../../../contract/endpoints/groups.ts'
import type { PdfDelivery } from '../../../../contract/endpoints/watermarks.ts'
import type { GroupInfo } from '../group-info.ts'
import { useGroupAction } from '../use-group-action.ts'

/** The settings of a group as named actions. Dates are `YYYY-MM-DD`. */
export function useGroupSecurity(group: GroupInfo) {
  const { id, workspace_id } = group
  const params = { id }
  const setDrm = useGroupAction(api.groups.setDrm, group, ({ body }) => ({
    drm_enabled: body.group.drm_enabled,
    drm_expires_after: body.group.drm_expires_after ?? group.drm_expires_after,
  }))
  const removeDrmExpiration = useGroupAction(api.groups.removeDrmExpiration, group, () => ({ drm_expires_after: null }))
  const setWatermarking = useGroupAction(api.groups.setWatermarking, group, ({ body }) => ({
    watermarked: body.group.watermarking,
    pdf_delivery: body.group.pdf_delivery ?? group.pdf_delivery,
  }))
  const setAccessExpiry = useGroupAction(api.groups.setAccessExpiry, group, ({ body }) => ({
    expire_workspace_access: 'true',
    expire_workspace_access_at: body.group.expire_workspace_access_at,
    expired: false,
  }))
  const removeAccessExpiry = useGroupAction(api.groups.removeAccessExpiry, group, () => ({
    expire_workspace_access: 'false',
    expire_workspace_access_at: null,
    expired: false,
  }))
  const update = useGroupAction(api.groups.update, group, ({ body }) => ({
    file_managing_abilities: body.group.file_managing_abilities ?? group.file_managing_abilities,
    text_layer: body.group.text_layer ?? group.text_layer,
  }))
  return {
    switchDrm: (drm_enabled: boolean) => setDrm({ params, body: { workspace_id, group: { drm_enabled } } }),
    setLastDay: (drm_expires_after: string, onDone: () => void) =>
      setDrm({ params, body: { workspace_id, group: { drm_enabled: true, drm_expires_after } } }, onDone),
    removeLastDay: (onDone: () => void) => removeDrmExpiration({ params, body: { workspace_id } }, onDone),
    switchWatermark: (watermarking: boolean) =>
      setWatermarking({ params, body: { workspace_id, group: { watermarking } } }),
    setPdfDelivery: (pdf_delivery: PdfDelivery) =>
      setWatermarking({ params, body: { workspace_id, group: { watermarking: true, pdf_delivery } } }),
    setExpiry: (expire_workspace_access_at: string, onDone?: () => void) =>
      setAccessExpiry({ params, body: { workspace_id, group: { expire_workspace_access_at } } }, onDone),
    undoRemovedExpiry: (expire_workspace_access_at: string) =>
      setAccessExpiry({ params, body: { workspace_id, group: { expire_workspace_access_at }, undo: true } }),
    removeExpiry: (onDone: () => void) => removeAccessExpiry({ params, body: { workspace_id } }, onDone),
    setTextLayer: (text_layer: TextPolicy) => update({ params, body: { workspace_id, group: { text_layer } } }),
    switchAbilities: (file_managing_abilities: boolean) =>
      update({ params, body: { workspace_id, group: { file_managing_abilities } } }),
  }
}
