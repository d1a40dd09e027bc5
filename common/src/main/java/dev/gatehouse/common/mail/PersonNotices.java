package dev.gatehouse.common.mail;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.Realm;
import java.time.Duration;

/** Tells people by mail what happened to their accounts. Never waits for a mail server, and never throws. */
public interface PersonNotices {

  /** Tells nobody: no mail server is configured. */
  PersonNotices NONE =
      new PersonNotices() {
        @Override
        public void newDevice(Realm realm, Person person, String address, String device) {}

        @Override
        public boolean passwordReset(Realm realm, Person person, Link link, String address, String language) {
          return false;
        }
      };

  /**
   * The person logged in with a browser that is not known.
   *
   * @param address of the client
   * @param device a name for the browser, never its own text
   */
  void newDevice(Realm realm, Person person, String address, String device);

  /**
   * Sends the link for a new password. Returns false if no mail is sent.
   *
   * @param address of the client that asked for it
   * @param language {@code en} or {@code de}
   */
  boolean passwordReset(Realm realm, Person person, Link link, String address, String language);

  /**
   * A link that gives access; never printed.
   *
   * @param url at the realm's configured public URL
   * @param life how long it can be used
   */
  record Link(String url, Duration life) {
    @Override
    public String toString() {
      return "***";
    }
  }
}
