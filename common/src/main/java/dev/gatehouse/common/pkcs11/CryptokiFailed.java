package dev.gatehouse.common.pkcs11;

import java.util.Map;

/** A function of a PKCS#11 library that returned another value than CKR_OK. */
final class CryptokiFailed extends Exception {
  private static final long serialVersionUID = 1;

  static final long GENERAL_ERROR = 0x5;
  static final long USER_ALREADY_LOGGED_IN = 0x100;
  static final long PIN_INCORRECT = 0xa0;
  static final long PIN_LOCKED = 0xa4;
  static final long NOT_INITIALIZED = 0x190;
  static final long ALREADY_INITIALIZED = 0x191;

  /** Values after which the session, the login or the handle of the key is of no use any more, and another one may be. */
  private static final Map<Long, String> LOST =
      Map.ofEntries(
          Map.entry(0x30L, "CKR_DEVICE_ERROR"),
          Map.entry(0x32L, "CKR_DEVICE_REMOVED"),
          Map.entry(0x60L, "CKR_KEY_HANDLE_INVALID"),
          Map.entry(0x82L, "CKR_OBJECT_HANDLE_INVALID"),
          Map.entry(0xb0L, "CKR_SESSION_CLOSED"),
          Map.entry(0xb1L, "CKR_SESSION_COUNT"),
          Map.entry(0xb3L, "CKR_SESSION_HANDLE_INVALID"),
          Map.entry(0xe0L, "CKR_TOKEN_NOT_PRESENT"),
          Map.entry(0xe1L, "CKR_TOKEN_NOT_RECOGNIZED"),
          Map.entry(0x101L, "CKR_USER_NOT_LOGGED_IN"),
          Map.entry(NOT_INITIALIZED, "CKR_CRYPTOKI_NOT_INITIALIZED"));

  private static final Map<Long, String> OTHERS =
      Map.ofEntries(
          Map.entry(0x2L, "CKR_HOST_MEMORY"),
          Map.entry(0x3L, "CKR_SLOT_ID_INVALID"),
          Map.entry(GENERAL_ERROR, "CKR_GENERAL_ERROR"),
          Map.entry(0x6L, "CKR_FUNCTION_FAILED"),
          Map.entry(0x7L, "CKR_ARGUMENTS_BAD"),
          Map.entry(0x20L, "CKR_DATA_INVALID"),
          Map.entry(0x21L, "CKR_DATA_LEN_RANGE"),
          Map.entry(0x31L, "CKR_DEVICE_MEMORY"),
          Map.entry(0x40L, "CKR_ENCRYPTED_DATA_INVALID"),
          Map.entry(0x41L, "CKR_ENCRYPTED_DATA_LEN_RANGE"),
          Map.entry(0x54L, "CKR_FUNCTION_NOT_SUPPORTED"),
          Map.entry(0x63L, "CKR_KEY_TYPE_INCONSISTENT"),
          Map.entry(0x68L, "CKR_KEY_FUNCTION_NOT_PERMITTED"),
          Map.entry(0x70L, "CKR_MECHANISM_INVALID"),
          Map.entry(0x71L, "CKR_MECHANISM_PARAM_INVALID"),
          Map.entry(0x90L, "CKR_OPERATION_ACTIVE"),
          Map.entry(PIN_INCORRECT, "CKR_PIN_INCORRECT"),
          Map.entry(0xa1L, "CKR_PIN_INVALID"),
          Map.entry(0xa2L, "CKR_PIN_LEN_RANGE"),
          Map.entry(PIN_LOCKED, "CKR_PIN_LOCKED"));

  private final long value;

  CryptokiFailed(String function, long value) {
    super(function + " returned " + name(value));
    this.value = value;
  }

  long value() {
    return value;
  }

  /** Returns whether another session, after another login, may do what this one could not. */
  boolean isLost() {
    return LOST.containsKey(value) || value == GENERAL_ERROR || value == 0x6L;
  }

  /** Returns whether the token surely is not there as it was: what was sent to it does not matter. */
  boolean isSurelyLost() {
    return LOST.containsKey(value);
  }

  /** Returns whether the token refused the PIN. */
  boolean isPinRefused() {
    return value >= PIN_INCORRECT && value <= PIN_LOCKED;
  }

  private static String name(long value) {
    return LOST.getOrDefault(value, OTHERS.getOrDefault(value, "0x" + Long.toHexString(value)));
  }
}
