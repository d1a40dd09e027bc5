package dev.gatehouse.idp.authn;

/**
 * Lets the participants of a session hear that it ends, where no browser is there to tell them: an administrator ended it, it
 * expired, a password was changed. Neither method waits for a participant.
 */
public interface EndNotices {

  /**
   * Makes durable that they have to hear of it, before the session ends; again and again is the same as once. Of sessions
   * that expire there may be thousands at once: these are told in the background, as fast as partners answer.
   */
  void keep(IdpSession session, EndCause cause);

  /** Tells them, those included that joined since then. Called by the one who ended the session. */
  void send(IdpSession ended, EndCause cause);
}
