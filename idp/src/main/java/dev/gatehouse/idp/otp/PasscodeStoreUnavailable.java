package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.store.StoreUnavailable;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;

/**
 * No passcode can be decided about now: the stores of tokens cannot be asked, or too many PINs are being checked. Ways in say so where
 * their protocol can, and stay silent where another server may answer.
 */
public final class PasscodeStoreUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final boolean busy;
  private final boolean crowded;
  private final boolean mayHaveCounted;

  /** @param cause what the store said */
  public PasscodeStoreUnavailable(Throwable cause) {
    this(cause, false);
  }

  private PasscodeStoreUnavailable(Throwable cause, boolean mayHaveCounted) {
    super("the stores of tokens cannot be asked", cause);
    this.busy = false;
    this.crowded = false;
    this.mayHaveCounted = mayHaveCounted;
  }

  private PasscodeStoreUnavailable(String sentence, boolean crowded) {
    super(sentence);
    this.busy = true;
    this.crowded = crowded;
    this.mayHaveCounted = false;
  }

  /** A store failed when the decision had begun to change something. */
  static PasscodeStoreUnavailable midway(Throwable cause) {
    return new PasscodeStoreUnavailable(cause, true);
  }

  /** Reads what a decision needs before it changes anything: a fault leaves the passcode as good as it was. */
  static <T> T reading(Supplier<T> stores) {
    try {
      return stores.get();
    } catch (DataAccessException | StoreUnavailable | DirectoryUnavailable e) {
      throw new PasscodeStoreUnavailable(e);
    }
  }

  static PasscodeStoreUnavailable busy() {
    return new PasscodeStoreUnavailable("more PINs are being checked than this node can check in time", false);
  }

  /** Others from the same place have all the turns that one place may have. */
  static PasscodeStoreUnavailable crowded() {
    return new PasscodeStoreUnavailable("more PINs are being checked for one place than may be", true);
  }

  /** Returns whether it is one place alone for which nothing is checked now: other servers shall not take this one for dead. */
  public boolean isCrowded() {
    return crowded;
  }

  /** Returns whether only the load of this node is the reason: the same passcode can be tried again at once. */
  public boolean isBusy() {
    return busy;
  }

  /** Returns whether the code may be used up, or a wrong passcode counted: nobody else shall be asked about the same one. */
  public boolean mayHaveCounted() {
    return mayHaveCounted;
  }
}
