package dev.gatehouse.gateway.cache;

/** The reason why a response is not stored. */
public enum NotStored {
  /** The cache did not handle the request. */
  NOT_ASKED,
  /** The client has sent no-store (RFC 9111, section 5.2.1.5). */
  REQUEST_NO_STORE,
  /** The request has fields that are not part of the key and may influence the response. */
  REQUEST_FIELDS,
  /** The response is for an authenticated person, and the route shares nothing. */
  IDENTIFIED,
  /** The response is for an authenticated person, and the app has not sent public or s-maxage. */
  IDENTIFIED_NOT_PUBLIC,
  /** The request carried credentials or cookies, and the app has not sent public or s-maxage. */
  CREDENTIALS,
  STATUS,
  NO_STORE,
  PRIVATE,
  SET_COOKIE,
  VARY_ALL,
  /** The response varies by a field that identifies the client. */
  VARY_PERSONAL,
  /** The response has a content coding that was not requested. */
  ENCODED,
  PARTIAL,
  TOO_LARGE,
  /** Nothing determines a freshness lifetime. */
  NOT_FRESH,
  /** The body ends with the connection, so it is unknown whether it is complete. */
  UNTIL_CLOSE,
  /** Too much is being collected at the moment. */
  NO_ROOM,
  /** The body was not complete. */
  TRUNCATED,
  /** The address was purged while the response arrived. */
  PURGED;

  /** Returns whether the response may not be stored for any client, so that an earlier stored response is outdated. */
  public boolean isOfAnswer() {
    return switch (this) {
      case NOT_ASKED, REQUEST_NO_STORE, REQUEST_FIELDS, IDENTIFIED, CREDENTIALS, NO_ROOM, TRUNCATED, PURGED -> false;
      case IDENTIFIED_NOT_PUBLIC, STATUS, NO_STORE, PRIVATE, SET_COOKIE, VARY_ALL, VARY_PERSONAL, ENCODED, PARTIAL,
          TOO_LARGE, NOT_FRESH, UNTIL_CLOSE -> true;
    };
  }
}
