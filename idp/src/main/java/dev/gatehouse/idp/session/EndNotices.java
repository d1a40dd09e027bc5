package dev.gatehouse.idp.session;

/**
 * Notifies the participants of a session of its end if no browser can do it: an administrator ended the session, it
 * expired, or a password was changed. Neither method waits for a participant.
 */
public interface EndNotices {

  /**
   * Stores the notices durably before the session ends; repeating the call has no effect. Thousands of sessions may
   * expire at once: their notices are sent in the background, as fast as partners answer.
   */
  void keep(IdpSession session, EndCause cause);

  /**
   * Sends the notices, including those for participants that joined since then. Called by the code that ended the
   * session.
   */
  void send(IdpSession ended, EndCause cause);
}
