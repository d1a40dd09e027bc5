package dev.gatehouse.common.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.store.ReplayCache;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Stores tokens and their people. A change is durable once its method has returned, and of parallel callers on any node at most one
 * succeeds with the same code. Blocks: call on virtual threads only.
 */
public interface Tokens {

  /** Number of tokens that one person may have: each makes guessing a little easier. */
  int MOST = 5;

  /**
   * A code that was found right, and what is learnt from it.
   *
   * @param used its counter or time step
   * @param drift of the token's clock
   */
  record Use(String serial, PersonId person, long used, int drift, Instant at) {}

  /** Returns the marks of used codes; usually those of the node's stores. */
  default ReplayCache marks(ReplayCache usual) {
    return usual;
  }

  /** Returns the epoch of the primary, as this server knows it; empty where one node checks alone, and before it is known. */
  default OptionalLong epoch() {
    return OptionalLong.empty();
  }

  /** Throws unless rows can be changed, as far as that is known: a mark of a code that counts by its row alone would be in vain. */
  default void requireChangeable() {}

  /** Returns the person's tokens by serial number, whatever their state. */
  List<Token> of(String realm, PersonId person);

  /** What counts for a person, and the person's tokens by serial number. */
  record Owned(TokenHolder holder, List<Token> tokens) {}

  /** Returns what {@link #holder} and {@link #of} return, in one read. */
  Owned owned(String realm, PersonId person);

  Optional<Token> find(String realm, String serial);

  /** Returns at most {@code limit} tokens by serial number, from the one after {@code after}. */
  List<Token> list(String realm, String after, int limit);

  /** Adds tokens: all, or none. Returns the serial numbers that are there already, because of which none was added. */
  Set<String> add(String realm, Collection<Token> tokens);

  /** Removes a token; returns false if there was none. */
  boolean remove(String realm, String serial);

  /** Assigns a token that belongs to nobody; returns false if it does not, or if the person is gone or has {@link #MOST}. */
  boolean assign(String realm, String serial, PersonId person);

  /**
   * Takes the token from this person; returns false if it is not theirs. An app is deleted. With the last one goes what is stored about the
   * person.
   */
  boolean unassign(String realm, String serial, PersonId person);

  /** Changes the state; returns false if there is no such token. */
  boolean change(String realm, String serial, Token.State state);

  /**
   * A code that is used up, and the token that made it.
   *
   * @param token as it was when the code was compared: a later one with the same serial number has another seed
   */
  record Used(Token token, Use use) {}

  /**
   * Uses up a code. Returns false and changes nothing if this or a later one was used, if the token is not enabled, not the person's or has
   * another seed by now, or if the person has {@code most} wrong passcodes.
   */
  boolean use(String realm, Used used, int most);

  /**
   * Returns what is stored about the person if a code counts by the rows as they are now, in one read: the token is enabled, has not ended,
   * is the person's and has the same seed; neither this nor a later code was used; and the person has fewer than {@code most} wrong
   * passcodes. Otherwise returns nothing. Uses up nothing.
   */
  Optional<TokenHolder> counts(String realm, Used used, Instant now, int most);

  /**
   * Marks the code of an app where nodes of the former version look, which do not know marks of tokens. Returns false if one of them has
   * taken this or a later code.
   */
  boolean acceptApp(String realm, Use use);

  /** Writes that these codes were used, where no later one was, all in one commit; in the order of serial numbers. */
  void keepUses(String realm, Collection<Used> uses);

  /** Sets position and clock of a token by codes of it; returns false if these or later ones were used. */
  boolean resynchronise(String realm, String serial, long used, int drift);

  /** Takes back what the token replaces, and with it what stood in for it, now that a code of the token has counted. */
  void finishReplacement(String realm, Token token, PersonId person);

  /** What is stored about the person; {@link TokenHolder#NEW} if nothing. */
  TokenHolder holder(String realm, PersonId person);

  /**
   * Counts a wrong passcode.
   *
   * @param lockedUntil the end of the lock that begins with it, if it is the last of {@code most}
   * @return how many there were
   */
  int countWrong(String realm, PersonId person, int most, Optional<Instant> lockedUntil);

  /** Ends a lock that has passed: the count goes back to {@code wrong}. Does nothing to one that lasts. */
  void endLock(String realm, PersonId person, int wrong, Instant now);

  /** Forgets wrong passcodes and ends a lock. */
  void forgive(String realm, PersonId person);

  /** As {@link #forgive}, and forgets wrong codes of apps after passwords: somebody has proved by other means that it is the person. */
  void unlock(String realm, PersonId person);

  /** Stores the hashes of PINs, whatever was there; none: the person has no PIN. */
  void keepPins(String realm, PersonId person, Optional<byte[]> sealed, boolean newPin);

  /**
   * Stores the hashes of PINs. Returns false and changes nothing if the present ones are not {@code before} any more.
   *
   * @param newPin whether the present one only serves to choose another
   */
  boolean replacePins(String realm, PersonId person, Optional<byte[]> before, byte[] sealed, boolean newPin);

  /** Replaces all emergency means of the person by these. */
  void keepEmergency(String realm, PersonId person, Set<String> digests, boolean fixed, Instant until);

  /** Returns whether a fixed password or a code that is left has this digest. Uses up nothing. */
  boolean standsIn(String realm, PersonId person, String digest, Instant now);

  /** Uses a fixed password, or uses up a code; false if there is none with this digest, or the person has {@code most} wrong passcodes. */
  boolean useEmergency(String realm, PersonId person, String digest, Instant now, int most);

  /** Returns how many emergency means count. */
  int emergencyLeft(String realm, PersonId person, Instant now);

  /** Removes everything about the person; their tokens belong to nobody afterwards. */
  void erase(String realm, PersonId person);
}
