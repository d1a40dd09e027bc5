package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import org.bouncycastle.asn1.x500.X500Name;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignedJarsTest {

  @TempDir Path folder;

  @Test
  void librariesLoseTheirSignatureAndNothingElse() throws IOException, URISyntaxException {
    for (Class<?> type : List.of(AmazonCorrettoCryptoProvider.class, X500Name.class)) {
      Path signed = jarOf(type);
      Path copy = Files.copy(signed, folder.resolve(signed.getFileName()));
      List<String> before = entries(signed);

      SignedJars.main(new String[] {folder.toString()});

      assertThat(before).anyMatch(SignedJarsTest::isSignature);
      assertThat(entries(copy)).containsExactlyInAnyOrderElementsOf(before.stream().filter(name -> !isSignature(name)).toList());
      try (JarFile old = new JarFile(signed.toFile());
          JarFile now = new JarFile(copy.toFile())) {
        String file = type.getName().replace('.', '/') + ".class";
        assertThat(now.getInputStream(now.getEntry(file)).readAllBytes()).isEqualTo(old.getInputStream(old.getEntry(file)).readAllBytes());
      }
    }
  }

  /** The JDK lets a provider of a jar without a signature encrypt, and the provider's own tests of itself pass. */
  @Test
  void theProviderWorksWithoutItsSignature() throws Exception {
    Path signed = jarOf(AmazonCorrettoCryptoProvider.class);
    Path copy = Files.copy(signed, folder.resolve(signed.getFileName()));
    SignedJars.main(new String[] {folder.toString()});
    try (URLClassLoader loader = new URLClassLoader(new URL[] {copy.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(AmazonCorrettoCryptoProvider.class.getName());
      assertThat(type.getProtectionDomain().getCodeSource().getCodeSigners()).isNull();
      Provider provider = (Provider) type.getField("INSTANCE").get(null);
      assertThat(type.getMethod("getLoadingError").invoke(provider)).isNull();
      assertThat(type.getMethod("runSelfTests").invoke(provider)).hasToString("PASSED");
      assertThat(Cipher.getInstance("AES/GCM/NoPadding", provider).getProvider()).isSameAs(provider);
      assertThat(Mac.getInstance("HmacSHA256", provider).getProvider()).isSameAs(provider);
    }
  }

  @Test
  void aJarWithoutASignatureStaysAsItIs() throws IOException, URISyntaxException {
    Path jar = jarOf(Test.class);
    Path copy = Files.copy(jar, folder.resolve("x.jar"));
    SignedJars.removeSignatures(copy);
    assertThat(copy).hasSameBinaryContentAs(jar);
  }

  private static Path jarOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<String> entries(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      return file.stream().map(ZipEntry::getName).toList();
    }
  }

  private static boolean isSignature(String name) {
    return name.matches("META-INF/.*\\.(SF|RSA|DSA|EC)");
  }
}
