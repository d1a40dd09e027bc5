package dev.gatehouse.common.valkey;

import dev.gatehouse.common.store.StoreUnavailable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * The scripts, which the server executes one at a time. Each returns an array. Numbers are passed as eight bytes, big-endian, where they
 * are part of a value, otherwise as digits.
 */
enum Script {
  SESSION_CREATE,
  SESSION_REPLACE,
  SESSION_REMOVE,
  SESSION_DISCARD,
  SESSION_TOUCH,
  SINGLE_USE_PUT(Script.REMEMBER),
  SINGLE_USE_REPLACE(Script.REMEMBER),
  SINGLE_USE_CHANGE(Script.REMEMBER),
  SINGLE_USE_TAKE,
  SINGLE_USE_DISCARD,
  LIMITED_PUT(Script.REMEMBER, Script.LIMITED),
  LIMITED_TAKE(Script.LIMITED),
  LIMITED_DISCARD(Script.LIMITED),
  QUOTA_ENTER(Script.LIMITED),
  QUOTA_LEAVE(Script.LIMITED),
  REPLAY_MARK(Script.REMEMBER),
  DUE_ADD,
  DUE_CLAIM,
  DUE_REPLACE,
  DUE_REMOVE,
  PERMIT_TAKE,
  PERMIT_SETTLE,
  PERMIT_FAILED,
  SWEEP(Script.REMEMBER),
  RECORD_WRITE,
  RECORD_ONCE,
  HEARTBEAT;

  private static final String REMEMBER = "remember.lua";
  private static final String LIMITED = "limited.lua";

  /** Whatever else these did, they have written something if they say that it is done. */
  private static final Set<Script> CHANGING =
      EnumSet.of(
          SESSION_CREATE, SESSION_REPLACE, SESSION_TOUCH, SINGLE_USE_PUT, SINGLE_USE_CHANGE, SINGLE_USE_TAKE, REPLAY_MARK, DUE_ADD, HEARTBEAT);

  private final byte[] text;
  private final String digest;

  /** @param functions files of the functions that the script uses */
  Script(String... functions) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (String file : functions) {
      whole.writeBytes(read(file));
    }
    whole.writeBytes(read(name().toLowerCase(Locale.ROOT).replace('_', '-') + ".lua"));
    this.text = whole.toByteArray();
    this.digest = sha1(text);
  }

  private static byte[] read(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new StoreUnavailable("The script " + file + " is missing in this build");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server identifies scripts by SHA-1; nothing depends on its strength, because only this program loads scripts. */
  private static String sha1(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  byte[] text() {
    return text.clone();
  }

  String textString() {
    return new String(text, StandardCharsets.UTF_8);
  }

  String digest() {
    return digest;
  }

  /**
   * Returns whether an acknowledgement of what the script did proves that the primary has its replicas. {@code WAIT} waits for the last
   * change of its connection: a script that changed nothing is acknowledged by replicas that are gone.
   */
  boolean changed(Reply reply) {
    return CHANGING.contains(this) && reply.isDone();
  }
}
