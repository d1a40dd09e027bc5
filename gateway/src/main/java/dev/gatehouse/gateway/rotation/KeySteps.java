package dev.gatehouse.gateway.rotation;

import dev.gatehouse.common.key.RotationStep;
import java.util.List;

/** Takes steps of the rotation of the keys of one realm and use, whether the node runs or not. */
public interface KeySteps {

  /** Signals that nothing was changed, or that nobody knows whether the step was taken; the message says which, and why. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Refused(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Takes the step, also before it is safe, once it is in the audit log.
   *
   * @return the keys after it
   * @throws Refused if the order of steps does not permit it
   */
  List<ListedKey> take(RotationStep step);
}
