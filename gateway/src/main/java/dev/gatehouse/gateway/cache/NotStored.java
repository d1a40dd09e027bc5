package dev.gatehouse.gateway.cache;

/** Why a response is not kept. */
public enum NotStored {
  /** The cache had nothing to do with it. */
  NOT_ASKED,
  /** The client has said no-store (RFC 9111, section 5.2.1.5). */
  REQUEST_NO_STORE,
  /** The request has fields that are no part of the key, and that an app might answer to. */
  REQUEST_FIELDS,
  /** The answer is for a known person, and the route shares nothing. */
  IDENTIFIED,
  /** The answer is for a known person, and the app has not said public or s-maxage. */
  IDENTIFIED_NOT_PUBLIC,
  /** The request carried credentials or cookies, and the app has not said public or s-maxage. */
  CREDENTIALS,
  STATUS,
  NO_STORE,
  PRIVATE,
  SET_COOKIE,
  VARY_ALL,
  /** It depends on who asks. */
  VARY_PERSONAL,
  /** It is encoded though nobody asked for that. */
  ENCODED,
  PARTIAL,
  TOO_LARGE,
  /** Nothing says how long it is fresh. */
  NOT_FRESH,
  /** Only the end of its connection is the end of its body: nobody knows whether it is whole. */
  UNTIL_CLOSE,
  /** Too much is being kept at the moment. */
  NO_ROOM,
  /** Its body did not come to its end. */
  TRUNCATED,
  /** It was purged while it came. */
  PURGED;

  /** Whether it is the app's answer that cannot be kept, whoever asks: what was kept before is then outdated. */
  public boolean isOfAnswer() {
    return switch (this) {
      case NOT_ASKED, REQUEST_NO_STORE, REQUEST_FIELDS, IDENTIFIED, CREDENTIALS, NO_ROOM, TRUNCATED, PURGED -> false;
      case IDENTIFIED_NOT_PUBLIC, STATUS, NO_STORE, PRIVATE, SET_COOKIE, VARY_ALL, VARY_PERSONAL, ENCODED, PARTIAL,
          TOO_LARGE, NOT_FRESH, UNTIL_CLOSE -> true;
    };
  }
}
