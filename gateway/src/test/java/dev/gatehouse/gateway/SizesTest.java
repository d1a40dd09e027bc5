package dev.gatehouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sizes at which a reader loses the thread. What is larger is listed by name, and has to become smaller: each list must be exactly
 * what is found, so it grows with nothing and shrinks with each mended one.
 */
class SizesTest {

  private static final int MAX_PARAMETERS = 8;
  private static final int MAX_COMPONENTS = 10;
  private static final int MAX_LINES = 350;
  private static final int MAX_TYPES = 40;

  private static final Set<String> PARAMETERS =
      Set.of(
          "AccessTokens", "AppSession", "AppSessionOpening", "AssertionConsumerServiceEndpoint", "DevicePage",
          "LinkEndpoint", "LogoutRequestReception", "LogoutStart", "OpenIdParts.of", "PasswordEndpoint", "SamlLoginStart",
          "SamlServiceProvider", "SpAssembly.serviceProvider", "VerifiedAssertion", "VerifiedIdToken");

  private static final Set<String> COMPONENTS =
      Set.of("AccessToken", "AppSession", "Authorization", "AuthorizationRequest", "IdpSession", "SignOn");

  private static final Set<String> FILES =
      Set.of("Relay");

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(new ArchitectureTest.NoTestJars())
          .importPackages("dev.gatehouse");

  @Test
  void noMethodOrConstructorHasMoreThanEightParameters() {
    Set<String> found =
        types()
            .flatMap(type -> type.getCodeUnits().stream())
            .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC) && !isCanonical(unit))
            .filter(unit -> unit.getRawParameterTypes().size() > MAX_PARAMETERS)
            .map(unit -> name(unit.getOwner()) + (unit instanceof JavaConstructor ? "" : "." + unit.getName()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(PARAMETERS);
  }

  @Test
  void noRecordHasMoreThanTenComponents() {
    Set<String> found =
        types()
            .filter(type -> type.isRecord() && components(type) > MAX_COMPONENTS)
            .map(SizesTest::name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(COMPONENTS);
  }

  @Test
  void noFileIsLongerThan350Lines() {
    Set<String> found =
        sources()
            .filter(file -> lines(file) > MAX_LINES)
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(FILES);
  }

  @Test
  void noPackageHasMoreThanFortyTypes() {
    Map<String, Long> types =
        sources()
            .filter(file -> !file.endsWith("package-info.java"))
            .map(file -> file.toString().replaceAll(".*/dev/gatehouse/|/[^/]+$", ""))
            .collect(Collectors.groupingBy(folder -> folder, Collectors.counting()));
    Set<String> found =
        types.entrySet().stream()
            .filter(count -> count.getValue() > MAX_TYPES)
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(types).hasSizeGreaterThan(50);
    assertThat(found).isEmpty();
  }

  private static Stream<JavaClass> types() {
    assertThat(MAIN.size()).isGreaterThan(1000);
    return MAIN.stream();
  }

  private static boolean isCanonical(JavaCodeUnit unit) {
    return unit instanceof JavaConstructor && unit.getOwner().isRecord() && unit.getRawParameterTypes().size() == components(unit.getOwner());
  }

  private static long components(JavaClass type) {
    return type.getFields().stream().map(JavaField::getModifiers).filter(m -> !m.contains(JavaModifier.STATIC)).count();
  }

  private static String name(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  private static Stream<Path> sources() {
    return Stream.of("common", "sp", "idp", "gateway", "perf").map(module -> Path.of("..", module, "src/main/java")).flatMap(SizesTest::files);
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int lines(Path file) {
    try {
      return Files.readAllLines(file).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
