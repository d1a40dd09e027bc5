package dev.gatehouse.gateway.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/**
 * The native libraries of the built jar: each is there for both processors that we name, and for Debian's C library. Those for the other
 * processor come from the same jar, or from the one that Maven takes on such a machine ({@code target/arm64}). Nothing here runs on arm64.
 */
class NativeLibrariesIT {

  private static final Path BUILT = Path.of("target/gatehouse-boot.jar").toAbsolutePath();
  private static final Path ARM64 = Path.of("target/arm64").toAbsolutePath();

  /** Field {@code e_machine} of the ELF specification. */
  private static final int X86_64 = 62;

  private static final int AARCH64 = 183;
  private static final int MACHINE_AT = 18;
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

  /** What the image's Debian 12 has: glibc 2.36, and libstdc++ of GCC 12. */
  private static final Map<Pattern, Integer> NEWEST = Map.of(Pattern.compile("GLIBC_2\\.([0-9]+)"), 36, Pattern.compile("GLIBCXX_3\\.4\\.([0-9]+)"), 30);

  private record Native(String jar, String name, byte[] content) {
    int machine() {
      return ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getShort(MACHINE_AT);
    }

    boolean needsAtMost(Pattern version, int newest) {
      Matcher matcher = version.matcher(new String(content, StandardCharsets.ISO_8859_1));
      while (matcher.find()) {
        if (Integer.parseInt(matcher.group(1)) > newest) {
          return false;
        }
      }
      return true;
    }
  }

  @Test
  void eachIsThereForArm64AndForDebian() throws IOException {
    Map<String, List<Native>> packaged = packaged();
    assertThat(packaged.keySet().stream().map(jar -> jar.replaceFirst("-[0-9].*", "")))
        .containsExactlyInAnyOrder(
            "AmazonCorrettoCryptoProvider", "netty-tcnative-boringssl-static", "netty-transport-native-epoll", "rocksdbjni");
    for (Map.Entry<String, List<Native>> jar : packaged.entrySet()) {
      List<Native> all = new ArrayList<>(jar.getValue());
      Path other = ARM64.resolve(jar.getKey().replace("linux-x86_64", "linux-aarch_64"));
      if (jar.getKey().contains("linux-x86_64")) {
        try (InputStream content = Files.newInputStream(other)) {
          all.addAll(natives(other.getFileName().toString(), content));
        }
        assertThat(all).as("for x86-64 in %s", jar.getKey()).anyMatch(each -> each.machine() == X86_64);
      }
      List<Native> arm64 = all.stream().filter(each -> each.machine() == AARCH64).toList();
      assertThat(arm64).as("for arm64 of %s", jar.getKey()).isNotEmpty();
      for (Native each : arm64) {
        NEWEST.forEach((version, newest) -> assertThat(each.needsAtMost(version, newest)).as("%s %s", each.name(), version).isTrue());
      }
    }
  }

  private static Map<String, List<Native>> packaged() throws IOException {
    Map<String, List<Native>> found = new LinkedHashMap<>();
    try (ZipInputStream jar = new ZipInputStream(Files.newInputStream(BUILT))) {
      for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
        if (entry.getName().matches("BOOT-INF/lib/.*\\.jar")) {
          String name = entry.getName().substring("BOOT-INF/lib/".length());
          List<Native> natives = natives(name, jar);
          if (!natives.isEmpty()) {
            found.put(name, natives);
          }
        }
      }
    }
    return found;
  }

  /** Looks at what files are, not at their names. */
  private static List<Native> natives(String jar, InputStream content) throws IOException {
    List<Native> found = new ArrayList<>();
    ZipInputStream files = new ZipInputStream(content);
    for (ZipEntry entry = files.getNextEntry(); entry != null; entry = files.getNextEntry()) {
      byte[] begin = files.readNBytes(ELF.length);
      if (java.util.Arrays.equals(begin, ELF)) {
        byte[] rest = files.readAllBytes();
        found.add(new Native(jar, entry.getName(), ByteBuffer.allocate(ELF.length + rest.length).put(begin).put(rest).array()));
      }
    }
    return found;
  }
}
