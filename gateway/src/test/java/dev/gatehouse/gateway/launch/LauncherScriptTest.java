package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code ./gatehouse}, in a packaged archive of a fake application that prints how it was called. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LauncherScriptTest {
  private static final Path SCRIPT = Path.of("../gatehouse").toAbsolutePath().normalize();

  @TempDir Path folder;

  private record Run(int exit, String output) {}

  @Test
  void shellcheckFindsNothing() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/shellcheck")), "shellcheck is not installed");
    Run run = run(List.of("/usr/bin/shellcheck", SCRIPT.toString(), SCRIPT.resolveSibling(".ci/run").toString()), "/usr/bin:/bin", "");
    assertThat(run.output()).isEmpty();
    assertThat(run.exit()).isZero();
  }

  @Test
  void theNamedJavaWinsAndGetsTheFlags() throws IOException, InterruptedException {
    Path old = java("old", "17.0.2");
    Path right = java("right", "25.0.1");
    Run run = launch(old, right, "version");
    assertThat(run.output()).contains("java right -XX:+UseCompactObjectHeaders", "-jar", "app/gatehouse.jar version").doesNotContain("java old");
  }

  @ParameterizedTest
  @CsvSource({"run, '', 2", "demo, '', 2", "run, MALLOC_ARENA_MAX=8, 8"})
  void theAllocatorHasTwoArenasUnlessTheEnvironmentSaysOtherwise(String command, String variable, String arenas)
      throws IOException, InterruptedException {
    Path java = java("right", "25.0.1");
    executable(java.resolve("bin/java"), "echo \"arenas: $MALLOC_ARENA_MAX\"\n");
    List<String> line = new ArrayList<>(List.of("/usr/bin/env"));
    if (!variable.isEmpty()) {
      line.add(variable);
    }
    line.addAll(List.of("/bin/bash", archive("archive").resolve("gatehouse").toString(), command));
    assertThat(run(line, "/usr/bin:/bin", java + "\n" + java).output()).isEqualTo("arenas: " + arenas + "\n");
  }

  /** Where the kernel never gives huge pages, the JVM would warn at each start. */
  @Test
  void nodesHaveHugePagesWhereTheKernelGivesThem() throws IOException, InterruptedException {
    Path setting = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    boolean given = Files.exists(setting) && !Files.readString(setting).contains("[never]");
    Path java = java("right", "25.0.1");
    Path archive = archive("archive");
    assertThat(launch(archive, java, java, "run").output().contains("-XX:+UseTransparentHugePages")).isEqualTo(given);
    assertThat(launch(archive, java, java, "demo").output()).doesNotContain("UseTransparentHugePages");
    assertThat(launch(archive, java, java, "version").output()).doesNotContain("UseTransparentHugePages");
  }

  @Test
  void aWronglyNamedJavaIsSaid() throws IOException, InterruptedException {
    Run run = launch(java("right", "25.0.1"), java("old", "17.0.2"), "version");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.output()).contains("is not a JDK 25 or newer");
  }

  @Test
  void whatNeedsACheckoutSaysSo() throws IOException, InterruptedException {
    Run run = launch(java("a", "25.0.1"), java("b", "25"), "package");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.output()).contains("needs a source checkout");
  }

  /** Its classes are linked to the paths of the jars with which it was trained, and JDK 25 does not look. */
  @Test
  void aMovedCopyDoesNotUseTheAotCache() throws IOException, InterruptedException {
    Path java = trainingJava();
    Path archive = archive("archive");
    assertThat(launch(archive, java, java, "train").exit()).isZero();
    assertThat(launch(archive, java, java, "version").output())
        .contains("-XX:AOTCache=" + archive.resolve("app/gatehouse.aot"))
        // Else the JVM greets every start with "Saved blob's name ... is different", at tags aot, codecache and stubs.
        .contains("-Xlog:aot*=off");
    Path copy = folder.resolve("copy");
    assertThat(run(List.of("cp", "-a", archive.toString(), copy.toString()), "/usr/bin:/bin", "").exit()).isZero();
    assertThat(launch(copy, java, java, "version").output()).contains("copy/app/gatehouse.jar version").doesNotContain("AOTCache");
    assertThat(launch(copy, java, java, "train").exit()).isZero();
    assertThat(launch(copy, java, java, "version").output()).contains("-XX:AOTCache=" + copy.resolve("app/gatehouse.aot"));
  }

  /** A node that compiles by the profiles of a training ends slower than one that makes its own (decision 602). */
  @Test
  void theAotCacheHasNoProfiles() throws IOException, InterruptedException {
    Path java = trainingJava();
    Path archive = archive("archive");
    assertThat(launch(archive, java, java, "train").exit()).isZero();
    assertThat(Files.readString(archive.resolve("app/gatehouse.aot"))).contains("-XX:AOTCacheOutput=", "-XX:-AOTRecordTraining")
        .doesNotContain("TieredStopAtLevel");
    assertThat(launch(archive, java, java, "demo").output()).contains("-XX:TieredStopAtLevel=1").doesNotContain("Training");
    assertThat(launch(archive, java, java, "run").output()).doesNotContain("TieredStopAtLevel", "Training");
  }

  @Test
  void anAotCacheOfOtherJarsIsNotUsed() throws IOException, InterruptedException {
    Path java = trainingJava();
    Path archive = archive("archive");
    launch(archive, java, java, "train");
    Files.writeString(archive.resolve("app/gatehouse.jar"), "another");
    assertThat(launch(archive, java, java, "version").output()).doesNotContain("AOTCache");
  }

  @Test
  void anAotCacheThatDoesNotSayWhereItWasTrainedIsNotUsed() throws IOException, InterruptedException {
    Path java = java("right", "25.0.1");
    Path archive = archive("archive");
    Files.writeString(archive.resolve("app/gatehouse.aot"), "of a former version");
    assertThat(launch(archive, java, java, "version").output()).doesNotContain("AOTCache");
  }

  @Test
  void aTrainingThatFailsLeavesNoCache() throws IOException, InterruptedException {
    Path java = java("right", "25.0.1");
    Files.writeString(java.resolve("bin/java"), "#!/bin/sh\nexit 1\n");
    Path archive = archive("archive");
    Run run = launch(archive, java, java, "train");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.output()).contains("no AOT cache");
    assertThat(archive.resolve("app/gatehouse.aot")).doesNotExist();
  }

  /** In a mount namespace of its own with an empty /usr/sbin; apt-get is a fake that asks the script to end, as Ctrl-C does. */
  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130", "HUP, 129", "KILL, 137"})
  void anInterruptedInstallationLeavesNoPolicyBehind(String signal, int exit) throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for a mount namespace");
    Path checkout = checkout(
        "[ -x /usr/sbin/policy-rc.d ] && echo PRESENT\n[ $1 = update ] || kill -" + signal + " $(cat " + folder + "/script)\n");
    Run first = inNamespace(checkout, "ls /usr/sbin");
    if (!signal.equals("KILL")) {
      assertThat(first.output()).contains("PRESENT", "exit " + exit).endsWith("exit " + exit + "\n");
      return;
    }
    // Nothing can be done then; the next run knows its own file again and removes it.
    assertThat(first.output()).contains("exit 137\npolicy-rc.d");
    Files.writeString(folder.resolve("bin/apt-get"), "#!/bin/sh\nexit 0\n");
    Run second = inNamespace(checkout, "ls /usr/sbin", "printf '#!/bin/sh\\n# Made by ./gatehouse test, which removes it when its packages are installed.\\nexit 101\\n' > /usr/sbin/policy-rc.d");
    assertThat(second.output()).endsWith("exit 0\n");
  }

  @Test
  void aPolicyOfTheMachinesOwnerStays() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for a mount namespace");
    Path checkout = checkout("exit 0\n");
    Run run = inNamespace(checkout, "ls /usr/sbin", "echo 'exit 102' > /usr/sbin/policy-rc.d");
    assertThat(run.output()).endsWith("exit 0\npolicy-rc.d\n");
  }

  @Test
  void caddyIsBuiltOnceAndNobodyFailsWithoutGo() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for a mount namespace");
    Path checkout = checkout("exit 0\n");
    assertThat(inNamespace(checkout, "true").output()).contains("could not build Caddy").endsWith("exit 0\n");
    executable(folder.resolve("bin/go"), "echo go \"$@\"\necho > \"$GOBIN/caddy\"\nchmod +x \"$GOBIN/caddy\"\n");
    assertThat(inNamespace(checkout, "true").output())
        .contains("go install github.com/caddyserver/caddy/v2/cmd/caddy@v")
        .endsWith("exit 0\n");
    assertThat(inNamespace(checkout, "true").output()).doesNotContain("go install").endsWith("exit 0\n");
  }

  /** Surefire counts tests of one name in nested classes together, so that a report may call one flaky that never passed. */
  @ParameterizedTest
  @CsvSource({"true, 0, 0", "true, 1, 0", "true, 2, 1", "false, 0, 0"})
  void aTestThatFailedOnceIsNamedAndOneThatFailedTwiceFailsTheRun(String ci, int failures, int exit) throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for a mount namespace");
    Path checkout = checkout("exit 0\n");
    String report =
        "<testsuite>\n  <testcase name=\"always\" classname=\"a.FirstTest\" time=\"1\"/>\n  <testcase name=\"read[1]\" classname=\"a.StoreTest$Nested\">\n"
            + "    <flakyError message=\"no\">\n    </flakyError>\n".repeat(failures)
            + "  </testcase>\n</testsuite>";
    Files.writeString(folder.resolve("report.xml"), report);
    executable(
        checkout.resolve("mvnw"),
        "echo maven \"$@\"\nmkdir -p common/target/surefire-reports\nsleep 0.1\ncp " + folder
            + "/report.xml common/target/surefire-reports/TEST-a.StoreTest.xml\n");
    Run run = inNamespace(checkout, "true", "export CI=" + ci);
    assertThat(run.output()).endsWith("exit " + exit + "\n");
    assertThat(run.output().contains("maven -B verify -Dsurefire.rerunFailingTestsCount=1 -Dfailsafe.rerunFailingTestsCount=1"))
        .isEqualTo(ci.equals("true"));
    assertThat(run.output().contains("passed when they were run again:\n    a.StoreTest$Nested read[1]\n")).isEqualTo(failures > 0);
  }

  @Test
  void testsOfCommonRunBesideTheCompilerAndEndTheRunWhereTheyFail() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for a mount namespace");
    Path checkout = checkout("exit 0\n");
    Files.createDirectory(checkout.resolve("gateway"));
    executable(checkout.resolve("mvnw"), "echo maven \"$@\"\n");
    assertThat(inNamespace(checkout, "cat " + checkout + "/target/compiler.log " + checkout + "/target/training.log").output())
        .containsSubsequence(
            "maven -B package -DskipTests -pl common -am\n", "maven -B surefire:test@default-test -pl common\n",
            "maven -B verify -Dcommon.tested=true -Dspring-boot.repackage.skip=true\n", "exit 0\n", "maven -B package -DskipTests\n",
            "java right", "dev.gatehouse.gateway.process.BuiltApplication\n");
    executable(checkout.resolve("mvnw"), "echo maven \"$@\"\n[ \"$2\" != surefire:test@default-test ]\n");
    assertThat(inNamespace(checkout, "true").output()).doesNotContain("verify").endsWith("exit 1\n");
  }

  /** What did not compile is compiled and packaged by the run that follows. */
  @Test
  void whatDidNotCompileBesideTheTestsOfCommonIsPackagedLater() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "needs root for a mount namespace");
    Path checkout = checkout("exit 0\n");
    executable(checkout.resolve("mvnw"), "echo maven \"$@\"\n[ \"$*\" != '-B package -DskipTests' ]\n");
    assertThat(inNamespace(checkout, "ls " + checkout + "/target").output())
        .contains("not everything compiles", "maven -B verify -Dcommon.tested=true\n")
        .doesNotContain("training.log");
  }

  /** Runs {@code ./gatehouse test} where /usr/sbin is empty. @param then a command, afterwards; @param before commands, first */
  private Run inNamespace(Path checkout, String then, String... before) throws IOException, InterruptedException {
    String script =
        "mount -t tmpfs none /usr/sbin; " + String.join("; ", before) + "\n"
            // Whoever started the tests may have had a signal ignored, which children inherit and no shell can trap.
            + "bash -c 'echo $$ > " + folder + "/script; exec env --default-signal=HUP,INT,TERM bash " + checkout
            + "/gatehouse test'; echo exit $?; " + then;
    Path java = java("right", "25.0.1");
    Files.writeString(java.resolve("bin/javac"), "");
    Files.setPosixFilePermissions(java.resolve("bin/javac"), PosixFilePermissions.fromString("rwxr-xr-x"));
    return run(
        List.of("/usr/bin/unshare", "-m", "/bin/bash", "-c", script), folder.resolve("bin") + ":/usr/bin:/bin", java + "\n" + java);
  }

  /** A folder that looks like a checkout without Maven's work, and a machine that lacks every package. */
  private Path checkout(String aptGet) throws IOException {
    Path checkout = Files.createDirectories(folder.resolve("checkout"));
    Files.copy(SCRIPT, checkout.resolve("gatehouse"));
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    executable(checkout.resolve("mvnw"), "exit 0\n");
    executable(folder.resolve("bin/apt-get"), aptGet);
    executable(folder.resolve("bin/dpkg-query"), "exit 1\n");
    executable(folder.resolve("bin/go"), "exit 1\n");
    return checkout;
  }

  private static void executable(Path file, String script) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A Java that also writes the cache which it is asked for: its own arguments. */
  private Path trainingJava() throws IOException {
    Path home = java("right", "25.0.1");
    executable(
        home.resolve("bin/java"),
        "echo java \"$@\"\nfor a; do case $a in -XX:AOTCacheOutput=*) echo \"$@\" > \"${a#*=}\";; esac; done\n");
    return home;
  }

  /** A folder that looks like a Java home and only prints how it was called. */
  private Path java(String name, String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
    Path java = home.resolve("bin/java");
    Files.writeString(java, "#!/bin/sh\necho java " + name + " \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  /** @param javaHome JAVA_HOME; @param named GATEHOUSE_JAVA_HOME */
  private Run launch(Path javaHome, Path named, String... arguments) throws IOException, InterruptedException {
    return launch(archive("archive"), javaHome, named, arguments);
  }

  private Path archive(String name) throws IOException {
    Path archive = folder.resolve(name);
    Files.createDirectories(archive.resolve("app"));
    Files.copy(SCRIPT, archive.resolve("gatehouse"));
    Files.writeString(archive.resolve("app/gatehouse.jar"), "");
    return archive;
  }

  private Run launch(Path archive, Path javaHome, Path named, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("/bin/bash", archive.resolve("gatehouse").toString()));
    command.addAll(List.of(arguments));
    return run(command, "/usr/bin:/bin", javaHome + "\n" + named);
  }

  private Run run(List<String> command, String path, String homes) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", path);
    if (!homes.isEmpty()) {
      builder.environment().put("JAVA_HOME", homes.lines().toList().get(0));
      builder.environment().put("GATEHOUSE_JAVA_HOME", homes.lines().toList().get(1));
    }
    int exit = builder.start().waitFor();
    return new Run(exit, Files.readString(output));
  }
}
