package dev.gatehouse.common.audit.search;

/** A search in one source of events, the newest first. */
interface EventScan {

  /** Goes to the next event that has all keys, or some way towards it; returns false if there is none. */
  boolean advance();

  /** Returns the event to which the search went. */
  Found event();

  /** Returns whether that event has all keys; otherwise the search has only looked up to it. */
  boolean isMatch();
}
