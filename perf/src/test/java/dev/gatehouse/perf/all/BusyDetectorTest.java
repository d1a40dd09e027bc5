package dev.gatehouse.perf.all;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.gatehouse.perf.report.Busy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine of two cores, whose {@code /proc} is written by hand: 1,000 ticks pass between two looks. */
class BusyDetectorTest {

  private static final String MARK = "GATEHOUSE_BENCH_ROW=1";
  private static final long SELF = 100;
  private static final long BENCH = 101;
  private static final long DAEMON = 102;
  private static final long STRANGER = 200;

  @TempDir private Path proc;

  private void machine(long user, long system, long idle, long steal) throws IOException {
    Files.writeString(proc.resolve("stat"), "cpu  %d 0 %d %d 0 0 0 %d 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n".formatted(user, system, idle, steal));
  }

  private void process(long id, long parent, long own, long ended, String environment) throws IOException {
    Path folder = Files.createDirectories(proc.resolve(Long.toString(id)));
    Files.writeString(
        folder.resolve("stat"),
        "%d (a (strange) name) S %d 1 1 0 -1 0 0 0 0 0 %d 0 %d 0 20 0 1 0 %d 0 0\n".formatted(id, parent, own, ended, 5_000 + id));
    Files.writeString(folder.resolve("environ"), environment);
  }

  private void end(long id) throws IOException {
    Path folder = proc.resolve(Long.toString(id));
    Files.delete(folder.resolve("stat"));
    Files.delete(folder.resolve("environ"));
    Files.delete(folder);
  }

  private BusyDetector begin() throws IOException {
    machine(10_000, 0, 50_000, 10);
    process(SELF, 1, 500, 40, "PATH=/bin\0");
    process(STRANGER, 1, 7_000, 0, "PATH=/bin\0");
    return new BusyDetector(proc, SELF, MARK, 2);
  }

  @Test
  void whatTheRowUsesIsNotOthers() throws IOException {
    BusyDetector detector = begin();
    process(SELF, 1, 505, 40, "PATH=/bin\0");
    process(BENCH, SELF, 300, 0, MARK + "\0");
    // A server that left its parent: only its environment tells whose it is.
    process(DAEMON, 1, 400, 0, "PATH=/bin\0" + MARK + "\0");
    machine(10_705, 0, 50_295, 10);
    detector.look();
    Busy busy = detector.verdict(5);
    assertThat(busy.others()).isZero();
    assertThat(busy.steal()).isZero();
    assertThat(busy.disturbed()).isFalse();
    assertThat(detector.left()).containsExactly(BENCH, DAEMON);
  }

  @Test
  void whatStrangersUseIsOthers() throws IOException {
    BusyDetector detector = begin();
    process(BENCH, SELF, 300, 0, MARK + "\0");
    process(STRANGER, 1, 7_060, 0, "PATH=/bin\0");
    machine(10_360, 0, 50_640, 10);
    detector.look();
    assertThat(detector.verdict(5).others()).isCloseTo(0.06, within(1e-9));
    assertThat(detector.verdict(5).disturbed()).isTrue();
    // In the second interval the machine is calm; the worst one stays known.
    process(BENCH, SELF, 1_300, 0, MARK + "\0");
    machine(11_360, 0, 50_640, 10);
    detector.look();
    assertThat(detector.verdict(10).others()).isCloseTo(0.03, within(1e-9));
    assertThat(detector.verdict(10).disturbed()).isFalse();
    assertThat(detector.verdict(10).worst()).isCloseTo(0.06, within(1e-9));
  }

  /** A compiler that somebody starts and that ends between two looks. */
  @Test
  void processesTooShortToBeSeenAreOthers() throws IOException {
    BusyDetector detector = begin();
    process(BENCH, SELF, 300, 0, MARK + "\0");
    machine(10_800, 0, 50_200, 10);
    detector.look();
    assertThat(detector.verdict(5).others()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void processesOfTheRowThatEndAreStillTheRows() throws IOException {
    BusyDetector detector = begin();
    process(BENCH, SELF, 100, 0, MARK + "\0");
    process(DAEMON, 1, 400, 0, MARK + "\0");
    machine(10_500, 0, 50_500, 10);
    detector.look();
    // The child's time is its parent's now; the daemon's is nobody's.
    end(BENCH);
    end(DAEMON);
    process(SELF, 1, 500, 140, "PATH=/bin\0");
    machine(10_500, 0, 51_500, 10);
    detector.look();
    assertThat(detector.verdict(10).others()).isZero();
    assertThat(detector.left()).isEmpty();
    // The id is used again by somebody else.
    process(DAEMON, 1, 900, 0, "PATH=/bin\0");
    Files.writeString(
        proc.resolve(Long.toString(DAEMON)).resolve("stat"), "102 (javac) S 1 1 1 0 -1 0 0 0 0 0 900 0 0 0 20 0 1 0 99999 0 0\n");
    machine(11_400, 0, 51_600, 10);
    detector.look();
    assertThat(detector.verdict(15).others()).isCloseTo(0.3, within(1e-9));
  }

  @Test
  void timeThatTheHypervisorTookIsSteal() throws IOException {
    BusyDetector detector = begin();
    machine(10_000, 0, 50_970, 40);
    detector.look();
    assertThat(detector.verdict(5).steal()).isCloseTo(0.03, within(1e-9));
    assertThat(detector.verdict(5).disturbed()).isTrue();
    assertThat(detector.verdict(5)).hasToString("busy: steal 3.0 %, other processes 0.0 % of 2 cores (at most 0 %)");
  }

  @Test
  void theKernelsOwnThreadsAreNobodys() throws IOException {
    BusyDetector detector = begin();
    process(3, 2, 500, 0, "");
    machine(10_000, 500, 50_500, 10);
    detector.look();
    assertThat(detector.verdict(5).others()).isZero();
  }

  @Test
  void thisMachineCanBeRead() throws IOException {
    BusyDetector detector = new BusyDetector(Path.of("/proc"), ProcessHandle.current().pid(), MARK, 2);
    detector.look();
    assertThat(detector.verdict(1).others()).isBetween(0.0, 1.0);
    assertThat(Ticks.read(Path.of("/proc")).processes()).containsKey(ProcessHandle.current().pid());
  }
}
