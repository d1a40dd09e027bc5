package dev.gatehouse.common.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.gatehouse.common.node.Pkcs11Config;
import dev.gatehouse.common.node.Pkcs11Config.Pin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tokens of SoftHSM in a folder, which is one for this process: the library reads its configuration when it is loaded. */
public final class SoftHsm {

  public static final Path LIBRARY = Path.of("/usr/lib/softhsm/libsofthsm2.so");
  public static final String PIN = "2468";

  private static final Path UTIL = Path.of("/usr/bin/softhsm2-util");
  private static final Pattern SLOT = Pattern.compile("slot (\\d+)");

  /** The folder of this process. */
  private static final class Once {
    private static final Path FOLDER = make();
  }

  private SoftHsm() {}

  public static boolean isInstalled() {
    return Files.isReadable(LIBRARY) && Files.isExecutable(UTIL);
  }

  /** Makes a token; returns the number of its slot. */
  public static String token(String label) {
    String said = util("--init-token", "--free", "--label", label, "--so-pin", "13579", "--pin", PIN);
    Matcher slot = SLOT.matcher(said);
    if (!slot.find()) {
      throw new IllegalStateException(said);
    }
    return slot.group(1);
  }

  /** Brings a key into a token, which from then on keeps it. */
  public static void bring(String token, String label, PrivateKey key) {
    try {
      Path file = Files.createTempFile(Once.FOLDER, "key", ".pem");
      String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
      Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");
      util("--import", file.toString(), "--token", token, "--label", label, "--id", "0" + Math.floorMod(label.hashCode(), 8) + "a1", "--pin", PIN);
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a key and its certificate in a token, as the documentation says. */
  public static void generate(String slot, String label, List<String> kind, boolean extractable) {
    try {
      Path config = Files.createTempFile(Once.FOLDER, "keytool", ".cfg");
      Files.writeString(
          config,
          "name = hsm\nlibrary = " + LIBRARY + "\nslot = " + slot + "\nattributes(*,CKO_PRIVATE_KEY,*) = {\n  CKA_SENSITIVE = "
              + !extractable + "\n  CKA_EXTRACTABLE = " + extractable + "\n}\n");
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin/keytool").toString(), "-genkeypair", "-alias", label, "-dname", "CN=" + label,
                  "-validity", "3650", "-keystore", "NONE", "-storetype", "PKCS11", "-storepass", PIN, "-addprovider", "SunPKCS11",
                  "-providerarg", config.toString()));
      command.addAll(kind);
      run(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the folder of a token's objects, which a test may take away. */
  public static Path folder(String slot) {
    String serial = null;
    String id = null;
    for (String line : util("--show-slots").lines().toList()) {
      if (line.startsWith("Slot ")) {
        id = line.substring("Slot ".length()).strip();
      } else if (line.strip().startsWith("Serial number:") && slot.equals(id)) {
        serial = line.substring(line.indexOf(':') + 1).strip();
      }
    }
    String end = String.valueOf(serial).substring(0, 4);
    String rest = String.valueOf(serial).substring(4);
    try (Stream<Path> folders = Files.list(Once.FOLDER.resolve("tokens"))) {
      return folders.filter(folder -> folder.getFileName().toString().endsWith(end + "-" + rest)).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how often the library was started again in this process, which ends the sessions of all its tokens. */
  public static int restarts() {
    try {
      return Library.of(LIBRARY).generation();
    } catch (CryptokiFailed e) {
      throw new IllegalStateException(e);
    }
  }

  /** The configuration of a token whose PIN is in that file. */
  public static Pkcs11Config config(String label, Path pin) {
    return new Pkcs11Config("hsm", LIBRARY, label, new Pin.File(pin), 2);
  }

  /** The environment in which other programs see the same tokens. */
  public static Map<String, String> environment() {
    return Map.of("SOFTHSM2_CONF", Once.FOLDER.resolve("softhsm2.conf").toString());
  }

  private static String util(String... arguments) {
    List<String> command = new ArrayList<>(List.of(UTIL.toString()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private static String run(List<String> command) {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment());
      Process process = builder.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + ": " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path make() {
    try {
      Path folder = Files.createTempDirectory("softhsm");
      Files.createDirectory(folder.resolve("tokens"));
      Path config = folder.resolve("softhsm2.conf");
      Files.writeString(config, "directories.tokendir = " + folder.resolve("tokens") + "\nobjectstore.backend = file\nlog.level = ERROR\n");
      // The library reads the environment of this process.
      MethodHandle setenv =
          Linker.nativeLinker()
              .downcallHandle(
                  Linker.nativeLinker().defaultLookup().find("setenv").orElseThrow(),
                  FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment name = arena.allocateFrom("SOFTHSM2_CONF");
        MemorySegment value = arena.allocateFrom(config.toString());
        int result = (int) setenv.invokeExact(name, value, 1);
        if (result != 0) {
          throw new IllegalStateException("setenv");
        }
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
