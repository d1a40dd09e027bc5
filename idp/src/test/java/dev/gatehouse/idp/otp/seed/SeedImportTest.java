package dev.gatehouse.idp.otp.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.TokenImport.Format;
import dev.gatehouse.common.admin.TokenImport.Imported;
import dev.gatehouse.common.admin.TokenImport.Order;
import dev.gatehouse.common.admin.TokenImport.Rejected;
import dev.gatehouse.common.db.EmptiedDatabase;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.otp.PinCost;
import dev.gatehouse.idp.otp.PinHashes;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The import of files of seeds: all or nothing, unless entries are to be left out. */
final class SeedImportTest {

  private static final String HEADER = "serial,seed_hex\n";
  private static final String SEED = "3132333435363738393031323334353637383930";

  private final RandomGenerator random = RandomGenerator.of("SplittableRandom");
  private final SealingKey sealing = SealingKey.inMemory(random);
  private final Tokens tokens = new JdbcTokens(EmptiedDatabase.get());
  private final TokenSeeds seeds = new TokenSeeds(tokens, new PinHashes(sealing, random, new PinCost(8, 1)), sealing);
  private final SeedImport imports = new SeedImport(tokens, seeds, new TestTime());

  private static Order order(Format format, String content, boolean skip) {
    return new Order("demo", format, content.getBytes(StandardCharsets.UTF_8), Optional.empty(), Optional.empty(), skip, false);
  }

  private Imported run(Order order) {
    return ((Result.Accepted<Imported, String>) imports.run(order, (done, total) -> {})).value();
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "s-" + i + "," + SEED + "\n").collect(Collectors.joining());
  }

  /** Two packages of figure 10 have the same serial number. */
  @Test
  void aFileThatIsWrongInOneEntryImportsNothingAndSaysWhich() throws Exception {
    Imported none = run(order(Format.PSKC, PskcFileTest.figure(10), false));
    assertThat(none.imported()).isZero();
    assertThat(none.rejected()).containsExactly(new Rejected(4, "9999999", "The file has this serial number twice."));
    assertThat(tokens.list("demo", "", 10)).isEmpty();
    Imported some = run(order(Format.PSKC, PskcFileTest.figure(10), true));
    assertThat(some.imported()).isEqualTo(3);
    assertThat(tokens.list("demo", "", 10)).extracting(Token::serial).containsExactly("123456", "654321", "9999999");
  }

  @Test
  void whatIsThereStaysAsItIs() {
    run(order(Format.CSV, HEADER + lines(0, 3), false));
    byte[] before = tokens.find("demo", "s-1").orElseThrow().sealedSeed();
    Imported again = run(order(Format.CSV, HEADER + lines(1, 120), false));
    assertThat(again.imported()).isZero();
    assertThat(again.rejected()).extracting(Rejected::serial).containsExactly("s-1", "s-2");
    assertThat(run(order(Format.CSV, HEADER + lines(1, 120), true)).imported()).isEqualTo(117);
    assertThat(tokens.find("demo", "s-1").orElseThrow().sealedSeed()).isEqualTo(before);
    assertThat(tokens.list("demo", "", 200)).hasSize(120).allMatch(token -> token.person().isEmpty());
  }

  @Test
  void aSeedIsSealed() {
    run(order(Format.CSV, HEADER + lines(0, 1), false));
    byte[] sealed = tokens.find("demo", "s-0").orElseThrow().sealedSeed();
    assertThat(new String(sealed, StandardCharsets.ISO_8859_1)).doesNotContain("12345678901234567890");
  }

  @Test
  void importsAtTheSameTimeAddEachTokenOnce() throws Exception {
    List<Imported> results = Race.of(4, i -> () -> run(order(Format.CSV, HEADER + lines(0, 60), true)));
    assertThat(results.stream().mapToInt(Imported::imported).sum()).isEqualTo(60);
    assertThat(tokens.list("demo", "", 100)).hasSize(60);
  }

  @Test
  void aCancelledImportOfAllAddsNothing() {
    assertThatThrownBy(
            () ->
                imports.run(
                    order(Format.CSV, HEADER + lines(0, 60), false),
                    (done, total) -> {
                      if (done == 30) {
                        throw new CancellationException();
                      }
                    }))
        .isInstanceOf(CancellationException.class);
    assertThat(tokens.list("demo", "", 100)).isEmpty();
  }

  @Test
  void aDryRunAddsNothingAndAnUnreadableFileIsRefused() {
    byte[] file = (HEADER + lines(0, 2)).getBytes(StandardCharsets.UTF_8);
    Order dry = new Order("demo", Format.CSV, file, Optional.empty(), Optional.empty(), false, true);
    assertThat(run(dry)).isEqualTo(new Imported(2, 0, List.of()));
    assertThat(tokens.list("demo", "", 10)).isEmpty();
    assertThat(imports.run(order(Format.PSKC, "x", true), (done, total) -> {})).isInstanceOf(Result.Refused.class);
  }
}
