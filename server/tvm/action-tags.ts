export const ACTION_SEND_MSG = 0x0ec3c86d
export const ACTION_SET_CODE = 0xad4de08e
export const ACTION_RESERVE = 0x36e6b809
export const ACTION_CHANGE_LIBRARY = 0x26fa1dd4
