package dev.gatehouse.common.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The functions of one PKCS#11 library that we need. {@code CK_ULONG} is a long of C: this is for 64-bit Linux. Calls block their
 * thread, so that no virtual thread may make them.
 */
final class Cryptoki {

  static final long CKO_CERTIFICATE = 1;
  static final long CKO_PRIVATE_KEY = 3;
  static final long CKA_CLASS = 0;
  static final long CKA_LABEL = 3;
  static final long CKA_VALUE = 0x11;
  static final long CKA_KEY_TYPE = 0x100;
  static final long CKA_ID = 0x102;
  static final long CKA_SENSITIVE = 0x103;
  static final long CKA_EXTRACTABLE = 0x162;

  private static final long CKF_OS_LOCKING_OK = 2;
  private static final long CKF_SERIAL_SESSION = 4;
  private static final long CKU_USER = 1;
  private static final int WORD = 8;
  private static final int ATTRIBUTE = 3 * WORD;
  private static final int MAX_OBJECTS = 16;
  private static final int MAX_RESULT = 4096;
  private static final int LABEL_BYTES = 32;
  private static final int TOKEN_INFO_BYTES = 256;
  private static final int FLAGS_AT = 96;

  /** The version, then the functions in the order of {@code pkcs11f.h}. */
  private static final int FUNCTIONS = 68;

  private final MethodHandle initialize;
  private final MethodHandle finish;
  private final MethodHandle slotList;
  private final MethodHandle tokenInfo;
  private final MethodHandle openSession;
  private final MethodHandle closeSession;
  private final MethodHandle closeSessions;
  private final MethodHandle login;
  private final MethodHandle attributes;
  private final MethodHandle findInit;
  private final MethodHandle find;
  private final MethodHandle findFinal;
  private final MethodHandle decryptInit;
  private final MethodHandle decrypt;
  private final MethodHandle signInit;
  private final MethodHandle sign;

  /**
   * A token.
   *
   * @param flags {@code CKF_...}
   */
  record Slot(long id, String label, long flags) {
    private static final long USER_PIN_FINAL_TRY = 0x20000;
    private static final long USER_PIN_LOCKED = 0x40000;

    boolean isFinalTry() {
      return (flags & USER_PIN_FINAL_TRY) != 0;
    }

    boolean isLocked() {
      return (flags & USER_PIN_LOCKED) != 0;
    }
  }

  /** One attribute that an object must have. */
  record Attribute(long type, byte[] value) {
    static Attribute ofClass(long type) {
      byte[] value = new byte[WORD];
      MemorySegment.ofArray(value).set(JAVA_LONG.withByteAlignment(1), 0, type);
      return new Attribute(CKA_CLASS, value);
    }
  }

  private interface Call {
    long make() throws Throwable;
  }

  /** Loads the library; throws {@link IllegalArgumentException} if that is not possible. */
  Cryptoki(Path library) throws CryptokiFailed {
    SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
    MemorySegment getList =
        symbols.find("C_GetFunctionList").orElseThrow(() -> new IllegalArgumentException("it has no function C_GetFunctionList"));
    MethodHandle get = Linker.nativeLinker().downcallHandle(getList, FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    MemorySegment functions;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      check("C_GetFunctionList", () -> (long) get.invokeExact(out));
      functions = out.get(ADDRESS, 0).reinterpret((FUNCTIONS + 1) * (long) WORD);
    }
    initialize = function(functions, 0, ADDRESS);
    finish = function(functions, 1, ADDRESS);
    slotList = function(functions, 4, JAVA_BYTE, ADDRESS, ADDRESS);
    tokenInfo = function(functions, 6, JAVA_LONG, ADDRESS);
    openSession = function(functions, 12, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
    closeSession = function(functions, 13, JAVA_LONG);
    closeSessions = function(functions, 14, JAVA_LONG);
    login = function(functions, 18, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    attributes = function(functions, 24, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
    findInit = function(functions, 26, JAVA_LONG, ADDRESS, JAVA_LONG);
    find = function(functions, 27, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    findFinal = function(functions, 28, JAVA_LONG);
    decryptInit = function(functions, 33, JAVA_LONG, ADDRESS, JAVA_LONG);
    decrypt = function(functions, 34, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    signInit = function(functions, 42, JAVA_LONG, ADDRESS, JAVA_LONG);
    sign = function(functions, 43, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  }

  private static MethodHandle function(MemorySegment functions, int index, MemoryLayout... parameters) {
    return Linker.nativeLinker().downcallHandle(
        functions.get(ADDRESS, (index + 1) * (long) WORD), FunctionDescriptor.of(JAVA_LONG, parameters));
  }

  private static void check(String function, Call call) throws CryptokiFailed {
    long value;
    try {
      value = call.make();
    } catch (Throwable e) {
      throw new IllegalStateException(function + " was not called as it is declared", e);
    }
    if (value != 0) {
      throw new CryptokiFailed(function, value);
    }
  }

  void initialize() throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      // CK_C_INITIALIZE_ARGS: four functions for locks, of which we have none, flags, and a pointer that is reserved.
      MemorySegment arguments = arena.allocate(6L * WORD, WORD);
      arguments.set(JAVA_LONG, 4L * WORD, CKF_OS_LOCKING_OK);
      check("C_Initialize", () -> (long) initialize.invokeExact(arguments));
    }
  }

  void close() throws CryptokiFailed {
    check("C_Finalize", () -> (long) finish.invokeExact(MemorySegment.NULL));
  }

  /** Returns the slots in which a token is. */
  List<Slot> slots() throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      check("C_GetSlotList", () -> (long) slotList.invokeExact((byte) 1, MemorySegment.NULL, count));
      MemorySegment ids = arena.allocate(Math.max(1, count.get(JAVA_LONG, 0)) * WORD, WORD);
      check("C_GetSlotList", () -> (long) slotList.invokeExact((byte) 1, ids, count));
      List<Slot> slots = new ArrayList<>();
      for (long i = 0; i < count.get(JAVA_LONG, 0); i++) {
        long id = ids.getAtIndex(JAVA_LONG, i);
        MemorySegment info = arena.allocate(TOKEN_INFO_BYTES, WORD);
        if (isTokenThere(id, info)) {
          String label = new String(info.asSlice(0, LABEL_BYTES).toArray(JAVA_BYTE), StandardCharsets.UTF_8).stripTrailing();
          slots.add(new Slot(id, label, info.get(JAVA_LONG, FLAGS_AT)));
        }
      }
      return slots;
    }
  }

  /** Reads what the token in a slot says of itself; another token that is broken or was just removed concerns nobody. */
  private boolean isTokenThere(long slot, MemorySegment info) throws CryptokiFailed {
    try {
      check("C_GetTokenInfo", () -> (long) tokenInfo.invokeExact(slot, info));
      return true;
    } catch (CryptokiFailed e) {
      if (e.value() == CryptokiFailed.NOT_INITIALIZED) {
        throw e;
      }
      return false;
    }
  }

  long openSession(long slot) throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment session = arena.allocate(JAVA_LONG);
      check(
          "C_OpenSession",
          () -> (long) openSession.invokeExact(slot, CKF_SERIAL_SESSION, MemorySegment.NULL, MemorySegment.NULL, session));
      return session.get(JAVA_LONG, 0);
    }
  }

  void closeSession(long session) throws CryptokiFailed {
    check("C_CloseSession", () -> (long) closeSession.invokeExact(session));
  }

  /** Closes the sessions of the token, which ends its login. */
  void closeSessions(long slot) throws CryptokiFailed {
    check("C_CloseAllSessions", () -> (long) closeSessions.invokeExact(slot));
  }

  /** Logs all sessions of the token in. The copy of the PIN is overwritten afterwards. */
  void login(long session, byte[] pin) throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = bytes(arena, pin);
      try {
        check("C_Login", () -> (long) login.invokeExact(session, CKU_USER, copy, (long) pin.length));
      } finally {
        copy.fill((byte) 0);
      }
    }
  }

  /** Returns the handles of the objects with these attributes. */
  List<Long> find(long session, List<Attribute> wanted) throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment template = arena.allocate((long) ATTRIBUTE * wanted.size(), WORD);
      for (int i = 0; i < wanted.size(); i++) {
        put(template, i, wanted.get(i).type(), bytes(arena, wanted.get(i).value()), wanted.get(i).value().length);
      }
      check("C_FindObjectsInit", () -> (long) findInit.invokeExact(session, template, (long) wanted.size()));
      MemorySegment found = arena.allocate((long) MAX_OBJECTS * WORD, WORD);
      MemorySegment count = arena.allocate(JAVA_LONG);
      try {
        check("C_FindObjects", () -> (long) find.invokeExact(session, found, (long) MAX_OBJECTS, count));
      } finally {
        check("C_FindObjectsFinal", () -> (long) findFinal.invokeExact(session));
      }
      List<Long> handles = new ArrayList<>();
      for (long i = 0; i < count.get(JAVA_LONG, 0); i++) {
        handles.add(found.getAtIndex(JAVA_LONG, i));
      }
      return handles;
    }
  }

  /** Returns the value of an attribute; empty if the object has none, or does not tell it. */
  Optional<byte[]> attribute(long session, long object, long type) throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment template = arena.allocate(ATTRIBUTE, WORD);
      put(template, 0, type, MemorySegment.NULL, 0);
      try {
        check("C_GetAttributeValue", () -> (long) attributes.invokeExact(session, object, template, 1L));
        long length = template.get(JAVA_LONG, 2L * WORD);
        if (length < 0 || length > 1 << 20) {
          return Optional.empty();
        }
        MemorySegment value = arena.allocate(Math.max(1, length), WORD);
        put(template, 0, type, value, length);
        check("C_GetAttributeValue", () -> (long) attributes.invokeExact(session, object, template, 1L));
        return Optional.of(value.asSlice(0, length).toArray(JAVA_BYTE));
      } catch (CryptokiFailed e) {
        if (e.isSurelyLost()) {
          throw e;
        }
        return Optional.empty();
      }
    }
  }

  byte[] sign(long session, Mechanism mechanism, long key, byte[] data) throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = mechanism.in(arena);
      check("C_SignInit", () -> (long) signInit.invokeExact(session, how, key));
      MemorySegment input = bytes(arena, data);
      MemorySegment result = arena.allocate(MAX_RESULT, WORD);
      MemorySegment length = arena.allocate(JAVA_LONG);
      length.set(JAVA_LONG, 0, MAX_RESULT);
      check("C_Sign", () -> (long) sign.invokeExact(session, input, (long) data.length, result, length));
      return result.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
    }
  }

  void beginDecryption(long session, Mechanism mechanism, long key) throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = mechanism.in(arena);
      check("C_DecryptInit", () -> (long) decryptInit.invokeExact(session, how, key));
    }
  }

  byte[] decrypt(long session, byte[] encrypted) throws CryptokiFailed {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment input = bytes(arena, encrypted);
      MemorySegment result = arena.allocate(MAX_RESULT, WORD);
      MemorySegment length = arena.allocate(JAVA_LONG);
      length.set(JAVA_LONG, 0, MAX_RESULT);
      try {
        check("C_Decrypt", () -> (long) decrypt.invokeExact(session, input, (long) encrypted.length, result, length));
        return result.asSlice(0, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE);
      } finally {
        result.fill((byte) 0);
      }
    }
  }

  private static MemorySegment bytes(Arena arena, byte[] content) {
    MemorySegment copy = arena.allocate(Math.max(1, content.length), WORD);
    MemorySegment.copy(content, 0, copy, JAVA_BYTE, 0, content.length);
    return copy;
  }

  private static void put(MemorySegment template, int index, long type, MemorySegment value, long length) {
    template.set(JAVA_LONG, (long) index * ATTRIBUTE, type);
    template.set(ADDRESS, (long) index * ATTRIBUTE + WORD, value);
    template.set(JAVA_LONG, (long) index * ATTRIBUTE + 2L * WORD, length);
  }
}
