package dev.gatehouse.common.pkcs11;

import dev.gatehouse.common.node.Pkcs11Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The way into a token, and the sentences about what is in it. */
final class TokenLogin {

  private final Pkcs11Config config;
  private final RefusedPin refused;
  private final Map<String, String> environment;
  private volatile boolean isRefused;

  TokenLogin(Pkcs11Config config, Path data, Map<String, String> environment) {
    this.config = config;
    this.refused = new RefusedPin(data, config.name());
    this.environment = environment;
  }

  /** Returns whether the token refused the PIN, so that only a new start tries again. */
  boolean isRefused() {
    return isRefused;
  }

  Library library() {
    if (!Files.isReadable(config.library())) {
      throw new TokenUnavailable(
          "There is no PKCS#11 library " + config.library() + " for the token " + config.name()
              + ": install it, or correct pkcs11." + config.name() + ".library.");
    }
    try {
      return Library.of(config.library());
    } catch (IllegalArgumentException | CryptokiFailed e) {
      throw new TokenUnavailable(
          "The PKCS#11 library " + config.library() + " of the token " + config.name() + " cannot be used: " + e.getMessage()
              + ". Correct pkcs11." + config.name() + ".library, or the library's own configuration.");
    }
  }

  /** Returns whether the library sees the token. Some look for tokens when they start only. */
  boolean isThere(Cryptoki functions) {
    try {
      return functions.slots().stream().anyMatch(slot -> slot.label().equals(config.label()));
    } catch (CryptokiFailed e) {
      return false;
    }
  }

  long slot(Cryptoki functions) throws CryptokiFailed {
    List<Cryptoki.Slot> all = functions.slots();
    List<Cryptoki.Slot> named = all.stream().filter(slot -> slot.label().equals(config.label())).toList();
    if (named.size() != 1) {
      String found = all.stream().map(Cryptoki.Slot::label).filter(label -> !label.isEmpty()).collect(Collectors.joining(", "));
      throw new TokenUnavailable(
          "The library " + config.library() + " has " + (named.isEmpty() ? "no token" : named.size() + " tokens") + " with the label "
              + config.label() + " (it has: " + (found.isEmpty() ? "none" : found) + "): insert or start the token, or correct pkcs11."
              + config.name() + ".token.");
    }
    if (named.getFirst().isLocked()) {
      throw locked();
    }
    if (named.getFirst().isFinalTry()) {
      throw new TokenUnavailable(
          "One more wrong PIN would lock the token " + config.name() + ", so the node does not try: log in once with the right PIN by a tool "
              + "of its vendor, which clears the count, and restart the node.");
    }
    return named.getFirst().id();
  }

  void in(Cryptoki functions, long session) throws CryptokiFailed {
    byte[] pin = PinSource.read(config.name(), config.pin(), environment);
    try {
      if (refused.is(pin)) {
        throw refusedBefore();
      }
      functions.login(session, pin);
      refused.forget();
    } catch (CryptokiFailed e) {
      if (e.value() == CryptokiFailed.USER_ALREADY_LOGGED_IN) {
        return;
      }
      if (!e.isPinRefused()) {
        throw e;
      }
      remember(pin);
      throw e.value() == CryptokiFailed.PIN_LOCKED ? locked() : refusedNow(e);
    } catch (IOException e) {
      throw new TokenUnavailable("The file " + refused.file() + " cannot be removed: " + e.getMessage() + ". Remove it.");
    } finally {
      Arrays.fill(pin, (byte) 0);
    }
  }

  private void remember(byte[] pin) {
    isRefused = true;
    try {
      refused.remember(pin);
    } catch (IOException e) {
      throw new TokenUnavailable(
          "The token " + config.name() + " refused the PIN, and " + refused.file() + ", which keeps the next start from trying it again, cannot "
              + "be written: " + e.getMessage() + ". Do not start the node again before the PIN is right.");
    }
  }

  private TokenUnavailable refusedNow(CryptokiFailed e) {
    return new TokenUnavailable(
        "The token " + config.name() + " refused the PIN (" + e.getMessage() + "). It is not tried again, because the token would lock itself: "
            + "write the right one into " + PinSource.shown(config.pin()) + " and restart the node.");
  }

  private TokenUnavailable refusedBefore() {
    isRefused = true;
    return new TokenUnavailable(
        "The token " + config.name() + " refused this PIN before, and it is not tried again, because the token would lock itself: write the "
            + "right one into " + PinSource.shown(config.pin()) + ". If the token has this PIN now, remove " + refused.file() + ".");
  }

  private TokenUnavailable locked() {
    isRefused = true;
    return new TokenUnavailable(
        "The PIN of the token " + config.name() + " is locked after wrong tries: its security officer sets a new one by a tool of its vendor; "
            + "then restart the node.");
  }

  /** Returns the sentence for a token that is away. */
  String gone(CryptokiFailed e) {
    return "The token " + config.name() + " (" + config.label() + ") does not work: " + e.getMessage()
        + ". Look whether it is there and its service runs; the node tries again by itself. Its keys are replaced by no others.";
  }
}
