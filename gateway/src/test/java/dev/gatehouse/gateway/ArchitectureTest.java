package dev.gatehouse.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.gatehouse.gateway.admin.DescriptionEndpoint;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** The arrows and the homes of DESIGN.md, held by every build. */
@AnalyzeClasses(
    packages = "dev.gatehouse",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {

  /** Fixtures that the modules share come as a jar of their own once they are packaged. */
  static final class NoTestJars implements ImportOption {
    @Override
    public boolean includes(com.tngtech.archunit.core.importer.Location location) {
      return !location.contains("-tests.jar");
    }
  }

  // --- the arrows: common <- sp <- idp, sp <- gateway ---

  @ArchTest
  static final ArchRule COMMON_KNOWS_NO_MODULE =
      noClasses()
          .that().resideInAPackage("dev.gatehouse.common..")
          .should().dependOnClassesThat()
          .resideInAnyPackage("dev.gatehouse.sp..", "dev.gatehouse.idp..", "dev.gatehouse.gateway..");

  @ArchTest
  static final ArchRule SP_KNOWS_COMMON_ONLY =
      noClasses()
          .that().resideInAPackage("dev.gatehouse.sp..")
          .should().dependOnClassesThat().resideInAnyPackage("dev.gatehouse.idp..", "dev.gatehouse.gateway..");

  @ArchTest
  static final ArchRule IDP_DOES_NOT_KNOW_THE_GATEWAY =
      noClasses()
          .that().resideInAPackage("dev.gatehouse.idp..")
          .should().dependOnClassesThat().resideInAPackage("dev.gatehouse.gateway..");

  @ArchTest
  static final ArchRule ONLY_THE_LAUNCHER_KNOWS_THE_IDP =
      noClasses()
          .that().resideInAPackage("dev.gatehouse.gateway..")
          .and().resideOutsideOfPackage("dev.gatehouse.gateway.launch")
          .should().dependOnClassesThat().resideInAPackage("dev.gatehouse.idp..");

  @ArchTest
  static final ArchRule NOBODY_KNOWS_THE_LAUNCHER =
      noClasses()
          .that().resideOutsideOfPackage("dev.gatehouse.gateway.launch")
          .should().dependOnClassesThat().resideInAPackage("dev.gatehouse.gateway.launch");

  // --- no cycles between packages ---

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching("dev.gatehouse.(**)").should().beFreeOfCycles();

  // --- the homes of libraries ---

  /** The way of a request outside of {@code gateway.netty} only hands on the buffers of a body. Lettuce's settings are Netty's. */
  @ArchTest
  static final ArchRule NETTY_LIVES_BELOW_GATEWAY_NETTY =
      noClasses()
          .that().resideOutsideOfPackages(
              "dev.gatehouse.gateway.netty..", "dev.gatehouse.gateway.exchange..", "dev.gatehouse.gateway.stream",
              "dev.gatehouse.gateway.metrics", "dev.gatehouse.common.valkey")
          .should().dependOnClassesThat().resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule LETTUCE_LIVES_IN_COMMON_VALKEY = onlyIn("io.lettuce..", "dev.gatehouse.common.valkey");

  @ArchTest
  static final ArchRule OPENSAML_LIVES_IN_COMMON_SAML = onlyIn("org.opensaml..", "dev.gatehouse.common.saml..");

  @ArchTest
  static final ArchRule SHIBBOLETH_LIVES_IN_COMMON_SAML = onlyIn("net.shibboleth..", "dev.gatehouse.common.saml..");

  @ArchTest
  static final ArchRule XMLSEC_LIVES_IN_COMMON_SAML = onlyIn("org.apache.xml.security..", "dev.gatehouse.common.saml..");

  @ArchTest
  static final ArchRule DOM_LIVES_IN_COMMON_SAML = onlyIn("org.w3c.dom..", "dev.gatehouse.common.saml..");

  @ArchTest
  static final ArchRule XML_PARSERS_LIVE_IN_COMMON_SAML = onlyIn("javax.xml.parsers..", "dev.gatehouse.common.saml..");

  @ArchTest
  static final ArchRule CEL_LIVES_IN_COMMON_EXPRESSION = onlyIn("dev.cel..", "dev.gatehouse.common.expression");

  @ArchTest
  static final ArchRule ROCKSDB_LIVES_IN_COMMON_STORE = onlyIn("org.rocksdb..", "dev.gatehouse.common.store");

  /**
   * The loader may ask it whether a DN and a filter can be read, so that mistakes are found before the first search. Names of groups may be
   * DNs.
   */
  @ArchTest
  static final ArchRule LDAP_LIVES_IN_COMMON_DIRECTORY =
      onlyIn(
          "com.unboundid..",
          "dev.gatehouse.common.directory",
          "dev.gatehouse.common.group",
          "dev.gatehouse.common.realm.yaml",
          "dev.gatehouse.gateway.demo");

  @ArchTest
  static final ArchRule BOUNCY_CASTLE_MAKES_CERTIFICATES_AND_HASHES_PINS =
      onlyIn("org.bouncycastle..", "dev.gatehouse.common.key", "dev.gatehouse.gateway.demo", "dev.gatehouse.idp.otp");

  @ArchTest
  static final ArchRule WEBAUTHN_LIVES_IN_IDP_PASSKEY = onlyIn("com.webauthn4j..", "dev.gatehouse.idp.passkey");

  @ArchTest
  static final ArchRule QR_CODES_ARE_DRAWN_IN_IDP_TOTP = onlyIn("io.nayuki..", "dev.gatehouse.idp.totp");

  @ArchTest
  static final ArchRule CORRETTO_IS_CHOSEN_IN_COMMON_CRYPTO = onlyIn("com.amazon..", "dev.gatehouse.common.crypto");

  @ArchTest
  static final ArchRule YAML_LIVES_IN_COMMON_REALM = onlyIn("org.yaml..", "dev.gatehouse.common.realm.yaml");

  @ArchTest
  static final ArchRule FLYWAY_LIVES_IN_COMMON_DB = onlyIn("org.flywaydb..", "dev.gatehouse.common.db", "dev.gatehouse.common.postgres");

  /** Audit events are copied and searched in forms that PostgreSQL alone has. */
  @ArchTest
  static final ArchRule JDBC_LIVES_IN_COMMON_DB_AND_WITH_WHAT_HAS_TABLES_OF_ITS_OWN =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.gatehouse.common.db", "dev.gatehouse.common.postgres", "dev.gatehouse.common.otp",
              "dev.gatehouse.common.otp.replica", "dev.gatehouse.common.passkey", "dev.gatehouse.common.audit.shared")
          .should().dependOnClassesThat().resideInAnyPackage("javax.sql..", "java.sql..");

  /** The index of the audit log has files of MVStore, without SQL. */
  @ArchTest
  static final ArchRule H2_LIVES_IN_COMMON_DB_AND_THE_AUDIT_INDEX =
      noClasses()
          .that().resideOutsideOfPackages("dev.gatehouse.common.db", "dev.gatehouse.common.audit.search")
          .should().dependOnClassesThat().resideInAnyPackage("org.h2..");

  @ArchTest
  static final ArchRule PICOCLI_LIVES_IN_THE_LAUNCHER = onlyIn("picocli..", "dev.gatehouse.gateway.launch", "dev.gatehouse.gateway.cli");

  @ArchTest
  static final ArchRule SERVLETS_LIVE_AT_EDGES =
      noClasses()
          .that().resideInAnyPackage("dev.gatehouse.common..", "dev.gatehouse.sp..")
          .should().dependOnClassesThat().resideInAnyPackage("jakarta.servlet..", "org.springframework.web..");

  // --- what comes from outside is injected ---

  @ArchTest
  static final ArchRule ENVIRONMENT_IS_READ_BY_THE_LAUNCHER_AND_THE_LOADER =
      noClasses()
          // The PIN of a token is read when it is needed, and kept nowhere.
          .that().resideOutsideOfPackages("dev.gatehouse.gateway.launch", "dev.gatehouse.common.realm.file", "dev.gatehouse.common.pkcs11")
          .should().callMethod(System.class, "getenv")
          .orShould().callMethod(System.class, "getenv", String.class);

  @ArchTest
  static final ArchRule TIME_IS_INJECTED =
      noClasses()
          .that().resideOutsideOfPackages("dev.gatehouse.gateway.launch", "dev.gatehouse.gateway.demo")
          .should().callMethod(Instant.class, "now")
          .orShould().callMethod(System.class, "currentTimeMillis")
          .orShould().callMethod(Clock.class, "systemUTC");

  @ArchTest
  static final ArchRule SECRETS_ARE_NOT_DRAWN_FROM_PLAIN_RANDOM =
      noClasses().should().dependOnClassesThat().belongToAnyOf(Random.class, ThreadLocalRandom.class)
          .orShould().callMethod(Math.class, "random")
          .because("SecureRandom is drawn through RandomGenerator, which tests replace");

  // --- absence denies ---

  @ArchTest
  static final ArchRule OPERATIONS_OF_ADMINISTRATORS_NEED_A_ROLE =
      methods()
          .that().areMetaAnnotatedWith(RequestMapping.class)
          .and().areNotDeclaredIn(DescriptionEndpoint.class)
          .should().beAnnotatedWith(RequiresRole.class)
          .because("RoleInterceptor refuses them otherwise");

  // --- names and shape ---

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_IS =
      noClasses()
          .should().haveSimpleNameEndingWith("Manager")
          .orShould().haveSimpleNameEndingWith("Helper")
          .orShould().haveSimpleNameEndingWith("Util")
          .orShould().haveSimpleNameEndingWith("Utils")
          .orShould().haveSimpleNameEndingWith("Impl")
          .orShould().haveSimpleNameStartingWith("Default")
          .orShould().haveSimpleNameStartingWith("Abstract");

  @ArchTest
  static void packagesAreAtMostTwoLevelsBelowTheirModule(JavaClasses classes) {
    assertThat(packages(classes)).isNotEmpty().allMatch(name -> name.split("\\.").length <= 5, "at most two levels deep");
  }

  @ArchTest
  static void everyPackageSaysWhatItIsForAndKnowsNoNull(JavaClasses classes) {
    assertThat(packages(classes))
        .filteredOn(name -> !isNullMarked(classes.getPackage(name)))
        .as("packages without a package-info that carries @NullMarked")
        .isEmpty();
  }

  private static boolean isNullMarked(com.tngtech.archunit.core.domain.JavaPackage found) {
    return found.tryGetPackageInfo().map(info -> info.isAnnotatedWith(NullMarked.class)).orElse(false);
  }

  private static TreeSet<String> packages(JavaClasses classes) {
    return classes.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
  }

  @ArchTest
  static void noMethodOrConstructorHasMoreThanEightParameters(JavaClasses classes) {
    Set<String> found =
        classes.stream()
            .flatMap(type -> type.getCodeUnits().stream())
            .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC) && !isCanonical(unit))
            .filter(unit -> unit.getRawParameterTypes().size() > SizesTest.MAX_PARAMETERS)
            .map(unit -> unit.getOwner().getName() + (unit instanceof JavaConstructor ? "" : "." + unit.getName()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(classes.size()).isGreaterThan(1000);
    assertThat(found).isEmpty();
  }

  @ArchTest
  static void noRecordHasMoreThanTenComponents(JavaClasses classes) {
    Stream<JavaClass> records = classes.stream().filter(type -> type.isRecord() && components(type) > SizesTest.MAX_COMPONENTS);
    assertThat(records.map(JavaClass::getName)).isEmpty();
  }

  private static boolean isCanonical(JavaCodeUnit unit) {
    JavaClass owner = unit.getOwner();
    return unit instanceof JavaConstructor && owner.isRecord() && unit.getRawParameterTypes().size() == components(owner);
  }

  private static long components(JavaClass type) {
    return type.getFields().stream().filter(field -> !field.getModifiers().contains(JavaModifier.STATIC)).count();
  }

  private static ArchRule onlyIn(String library, String... homes) {
    return noClasses()
        .that().resideOutsideOfPackages(homes)
        .should().dependOnClassesThat().resideInAPackage(library);
  }

  // --- tests run ---

  /** What Surefire and Failsafe run by themselves. */
  private static final Pattern RUNS = Pattern.compile("Test\\w*|\\w*(Test|Tests|TestCase|IT|ITCase)|IT\\w*");

  private static final Pattern TEST = Pattern.compile("(?m)^\\s*@(\\w*Test|TestFactory|TestTemplate|Property)\\b");
  private static final Pattern CONTRACT =
      Pattern.compile("(?m)^(?:(?:public|final) )*class \\w+[^{]*\\b(?:extends|implements)\\b[^{]*Contract\\b");
  private static final Pattern INHERITED = Pattern.compile("(?m)^(?:public )?(?:abstract class|interface) ");

  /** Of a class with another name, nobody notices that its tests have never run. */
  @Test
  void everyClassWithTestsHasANameThatRuns() throws IOException {
    Map<String, String> tests = new TreeMap<>();
    for (String module : List.of("common", "sp", "idp", "gateway", "perf")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
        for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
          tests.put(file.toString(), Files.readString(file));
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(500);
    assertThat(tests.entrySet()).filteredOn(file -> isNeverRun(file.getKey(), file.getValue())).extracting(Map.Entry::getKey).isEmpty();
    assertThat(isNeverRun("a/PacketProperties.java", "class PacketProperties {\n  @Test\n  void x() {}\n}")).as("the rule is awake").isTrue();
    assertThat(isNeverRun("a/Forms.java", "final class Forms extends StoreContract {}")).as("the rule is awake").isTrue();
    assertThat(isNeverRun("a/StoreContract.java", "abstract class StoreContract {\n  @Test\n  void x() {}\n}")).isFalse();
  }

  private static boolean isNeverRun(String file, String text) {
    boolean isTest = CONTRACT.matcher(text).find() || TEST.matcher(text).find() && !INHERITED.matcher(text).find();
    return isTest && !RUNS.matcher(file.replaceAll(".*/|\\.java$", "")).matches();
  }

  // --- and the rules are awake ---

  @Test
  void noMockingLibraryIsOnTheClassPath() {
    for (String name : List.of("org.mockito.Mockito", "org.easymock.EasyMock", "io.mockk.MockK")) {
      assertThatThrownBy(() -> Class.forName(name)).as(name).isInstanceOf(ClassNotFoundException.class);
    }
  }

  @Test
  void aRuleSeesWhatItForbids() {
    JavaClasses offender = new ClassFileImporter().importClasses(NettyUser.class);
    assertThat(NETTY_LIVES_BELOW_GATEWAY_NETTY.evaluate(offender).hasViolation()).isTrue();
    JavaClasses open = new ClassFileImporter().importClasses(OpenOperation.class);
    assertThat(OPERATIONS_OF_ADMINISTRATORS_NEED_A_ROLE.evaluate(open).hasViolation()).isTrue();
  }

  /** Needs no role. */
  static final class OpenOperation {
    @GetMapping
    void anybody() {}
  }

  /** Uses Netty where it may not. */
  static final class NettyUser {
    io.netty.buffer.ByteBuf buffer = io.netty.buffer.Unpooled.EMPTY_BUFFER;
  }
}
