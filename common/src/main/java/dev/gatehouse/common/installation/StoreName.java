package dev.gatehouse.common.installation;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The stores of an installation, by the names of their folders. */
public enum StoreName {
  KEYS("the keys that sign, decrypt and open sealed secrets, and the administrators' keys"),
  AUDIT("the audit log"),
  H2("second factors, registered clients, consents, linked accounts and persistent names"),
  ROCKSDB("sessions, tokens, revocations, and the marks of codes and messages that were used");

  private final String content;

  StoreName(String content) {
    this.content = content;
  }

  /** Returns the folder's name, as in {@code recover --accept-loss}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns a description of the store's content. */
  public String content() {
    return content;
  }

  public static Optional<StoreName> of(String word) {
    return Arrays.stream(values()).filter(name -> name.word().equals(word)).findFirst();
  }
}
