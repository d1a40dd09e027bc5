package dev.gatehouse.common.admin;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What holds a person back at the identity provider, and what the person has agreed to release. */
public interface PersonAccess {

  /** Returns what counts against the person at the moment; empty if the realm has no identity provider. */
  Optional<WrongTries> wrongTries(String realm, PersonReference person);

  /** Forgets wrong passwords, codes and passcodes of the person, and returns their number. */
  int unlock(String realm, PersonReference person);

  /** Returns what the person agreed to release, ordered by partner. */
  List<Agreed> consents(String realm, PersonReference person);

  /** Ends a consent and what it permits; returns false if there is none. */
  boolean endConsent(String realm, PersonReference person, String partner);

  /**
   * A consent.
   *
   * @param attributes by name
   */
  record Agreed(String partner, List<String> attributes, Instant since) {}

  /**
   * Wrong passwords, codes and passcodes that count against a person.
   *
   * @param passwords by browsers that nobody has logged in with before, at this node
   * @param codes of second factors, at this node
   * @param passcodes of tokens since the last right one, in all nodes
   * @param refusedFor how long this node refuses passwords or codes; empty if it does not
   * @param locked whether no code or no passcode is accepted
   */
  record WrongTries(int passwords, int codes, int passcodes, Optional<Duration> refusedFor, boolean locked) {}
}
