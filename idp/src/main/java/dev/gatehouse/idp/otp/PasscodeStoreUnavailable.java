package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.store.StoreUnavailable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * No passcode can be decided about now: the stores of tokens cannot be asked, or too many PINs are being checked. Ways in say so where
 * their protocol can, and stay silent where another server may answer.
 */
public final class PasscodeStoreUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private enum Why {
    STORE("the stores of tokens cannot be asked"),
    /** A store failed when the decision had begun to change something. */
    STORE_MIDWAY("the stores of tokens cannot be asked"),
    BUSY("more PINs are being checked than this node can check in time"),
    /** Others from the same place have all the turns that one place may have. */
    CROWDED("more PINs are being checked for one place than may be");

    private final String sentence;

    Why(String sentence) {
      this.sentence = sentence;
    }
  }

  private final Why why;

  /** @param cause what the store said */
  public PasscodeStoreUnavailable(Throwable cause) {
    this(Why.STORE, cause);
  }

  private PasscodeStoreUnavailable(Why why, @Nullable Throwable cause) {
    super(why.sentence, cause);
    this.why = why;
  }

  /** A store failed when somebody had begun to decide: nobody knows what counted. */
  public static PasscodeStoreUnavailable midway(Throwable cause) {
    return new PasscodeStoreUnavailable(Why.STORE_MIDWAY, cause);
  }

  /** Reads what a decision needs before it changes anything: a fault leaves the passcode as good as it was. */
  static <T> T reading(Supplier<T> stores) {
    try {
      return stores.get();
    } catch (DataAccessException | StoreUnavailable | DirectoryUnavailable e) {
      throw new PasscodeStoreUnavailable(e);
    }
  }

  /** Does what follows when a code was used up or a challenge taken: a node that is too busy for it has counted something all the same. */
  static <T> T afterUse(Supplier<T> rest) {
    try {
      return rest.get();
    } catch (PasscodeStoreUnavailable e) {
      throw midway(e);
    }
  }

  static PasscodeStoreUnavailable busy() {
    return new PasscodeStoreUnavailable(Why.BUSY, null);
  }

  static PasscodeStoreUnavailable crowded() {
    return new PasscodeStoreUnavailable(Why.CROWDED, null);
  }

  /** Returns whether it is one place alone for which nothing is checked now: other servers shall not take this one for dead. */
  public boolean isCrowded() {
    return why == Why.CROWDED;
  }

  /** Returns whether only the load of this node is the reason: the same passcode can be tried again at once. */
  public boolean isBusy() {
    return why == Why.BUSY || why == Why.CROWDED;
  }

  /** Returns whether the code may be used up, or a wrong passcode counted: nobody else shall be asked about the same one. */
  public boolean mayHaveCounted() {
    return why == Why.STORE_MIDWAY;
  }
}
