package dev.gatehouse.idp.session;

/**
 * Notifies the participants of a session of its end if no browser can do it: an administrator ended the session, it
 * expired, or a password was changed. No method waits for a participant.
 */
public interface EndNotices {

  /**
   * Stores the notices durably before the session ends; repeating the call has no effect. They are sent after a while, should the
   * node that ends the session not get any further.
   */
  void keep(IdpSession session, EndCause cause);

  /**
   * Has the notices sent in the background, including those for participants that joined since then. Thousands of sessions may expire
   * at once: their notices are sent as fast as partners answer.
   */
  void release(IdpSession ended, EndCause cause);

  /** Removes the notices of a session that did not end after all. */
  void withdraw(IdpSession session);

  /**
   * Sends the notices, including those for participants that joined since then. Called by the code that ended the
   * session.
   */
  void send(IdpSession ended, EndCause cause);
}
