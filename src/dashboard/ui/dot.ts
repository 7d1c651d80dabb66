/** The mark of what is unread; the owner places it left or right. */
export const dotOf = (background: string) =>
  ({
    content: '""',
    position: 'absolute',
    top: 'calc(50% - 3.5px)',
    width: 7,
    height: 7,
    borderRadius: 5,
    background,
  }) as const
