package dev.gatehouse.common.passkey;

import dev.gatehouse.common.directory.PersonId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Stores the passkeys of people (WebAuthn Level 3): public keys with what changes at each use. A change is durable once its method has
 * returned. Blocks: call on virtual threads only.
 */
public interface Passkeys {

  /** Number of passkeys that one person may have. */
  int MAX_PASSKEYS = 20;

  /** Number of additions of which a person may not have been told yet; nothing is added beyond it. */
  int MAX_UNTOLD = 100;

  /** For how long browsers in which the person is known are told of an addition: as long as they stay known. */
  Duration TOLD_FOR = Duration.ofDays(90);

  /**
   * A passkey.
   *
   * @param id the credential ID, base64url
   * @param publicKey a COSE_Key (RFC 9052, section 7)
   * @param label the person's own name for it; at most 64 characters
   * @param level the strength of the login that enrolled or confirmed it, as a word of the identity provider
   */
  record Passkey(
      String id, PersonId person, byte[] publicKey, Model model, State state, String label, String level, Instant createdAt) {
    private static final Set<String> STRONG = Set.of("SECOND_FACTOR", "PASSKEY");

    /** Returns whether a login with a second factor enrolled or confirmed it, so that it may be one itself. */
    public boolean isStrong() {
      return STRONG.contains(level);
    }

    @Override
    public String toString() {
      return "Passkey[" + id + "]";
    }
  }

  /**
   * What never changes of the authenticator.
   *
   * @param aaguid its model as it says itself; zeros if it does not say
   * @param transports how browsers reach it, as hints for them
   * @param backupEligible whether the private key may leave the device (WebAuthn, section 6.1.3)
   */
  record Model(String aaguid, List<String> transports, boolean backupEligible) {
    public Model {
      transports = List.copyOf(transports);
    }
  }

  /**
   * What each use may change.
   *
   * @param counter the signature counter (WebAuthn, section 6.1.1); 0 if the authenticator has none
   * @param backedUp whether the private key is backed up
   */
  record State(long counter, boolean backedUp, Optional<Instant> usedAt) {}

  /** Returns the person's passkeys, the oldest first. */
  List<Passkey> of(String realm, PersonId person);

  Optional<Passkey> find(String realm, String id);

  /**
   * A passkey with what its authenticator says of its person.
   *
   * @param userHandle base64url; empty if nothing is stored
   */
  record Owned(Passkey passkey, String userHandle) {}

  /** Returns what {@link #find} and {@link #userHandle} return, in one read. */
  Optional<Owned> owned(String realm, String id);

  /**
   * Adds a passkey, and what the person is to be told of it. Returns false and changes nothing if its ID is there already, if the person
   * would have more than {@code limit}, or if {@link #MAX_UNTOLD} additions wait to be told.
   *
   * @param session the first id of the session that adds it
   */
  boolean add(String realm, Passkey passkey, String session, int limit);

  /**
   * An addition of a passkey. It stays when the passkey is removed: somebody was able to add one.
   *
   * @param number a later addition of the person has a greater one
   * @param session the first id of the session that added it
   * @param toldIn the browsers in which the person was told of it, the latest last; empty if in none
   */
  record Addition(long number, String session, Instant at, List<String> toldIn) {
    public Addition {
      toldIn = List.copyOf(toldIn);
    }

    /** Returns whether the person was told of it anywhere. */
    public boolean isTold() {
      return !toldIn.isEmpty();
    }
  }

  /** Returns the additions of which the person has not been told, and those of the last {@link #TOLD_FOR}; the oldest first. */
  List<Addition> additions(String realm, PersonId person);

  /**
   * That a person was told.
   *
   * @param session the first id of the session that told
   * @param browser its browser, as {@link Addition#toldIn} has it: letters and digits, or {@link #UNKNOWN_BROWSER}
   * @param upTo the last addition that was shown
   */
  record Telling(String session, String browser, long upTo, Instant at) {}

  /** In place of a browser in which the person is not known. */
  String UNKNOWN_BROWSER = "-";

  /** Keeps that a person was told. Additions of the session itself stay: whoever added a passkey does not put away the notice of it. */
  void told(String realm, PersonId person, Telling telling);

  /**
   * Records a use. Returns false and changes nothing if the counter did not grow (WebAuthn, section 7.2, step 22), or if the passkey is
   * gone. The condition is part of the change, so that of two parallel uses with one counter value only one succeeds.
   */
  boolean use(String realm, String id, State now);

  /** Sets the level of the person's passkey; returns false if there is none. */
  boolean setLevel(String realm, PersonId person, String id, String level);

  /** Removes the person's passkey; returns false if there was none. */
  boolean remove(String realm, PersonId person, String id);

  /**
   * Removes the person's passkey unless it is the last strong one; returns false if it is, or if there was none. Of parallel callers that
   * would remove the last ones, one leaves one.
   */
  boolean removeUnlessLast(String realm, PersonId person, String id);

  /** Removes all passkeys of the person; returns how many there were. */
  int removeAll(String realm, PersonId person);

  /** Returns whether the person has answered the offer of a first passkey. */
  boolean isOfferAnswered(String realm, PersonId person);

  /** Keeps that the person has answered the offer. */
  void answerOffer(String realm, PersonId person, Instant at);

  /** Removes everything about the person, including the user handle. */
  void erase(String realm, PersonId person);

  /** Returns the person's user handle; stores {@code fresh} as such if there is none yet. */
  String userHandle(String realm, PersonId person, String fresh);
}
