package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.NamePair;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.NamePairs.AddResult;
import dev.gatehouse.common.directory.NamePairs.NewPair;
import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Stores account links as pairs of {@link NamePairs.Kind#LINKED}, in the storage of each realm. */
public final class PairedAccountLinks implements AccountLinks {

  private final Function<String, NamePairs> pairs;

  /** @param pairs returns the pairs of a realm */
  public PairedAccountLinks(Function<String, NamePairs> pairs) {
    this.pairs = pairs;
  }

  @Override
  public Optional<AccountLink> find(String realm, String idp, String nameId) {
    return pairs.apply(realm).byName(realm, idp, nameId).map(PairedAccountLinks::link);
  }

  @Override
  public Optional<AccountLink> ofAccount(String realm, String idp, PersonId account) {
    return pairs.apply(realm).byPerson(realm, idp, account).map(PairedAccountLinks::link);
  }

  @Override
  public List<AccountLink> ofAccount(String realm, PersonId account) {
    return pairs.apply(realm).ofPerson(realm, account).stream().map(PairedAccountLinks::link).toList();
  }

  @Override
  public Linking link(String realm, String idp, String nameId, PersonId account) {
    return linking(pairs.apply(realm).add(realm, idp, new NewPair(account, nameId)));
  }

  @Override
  public List<Linking> linkAll(String realm, String idp, List<Pair> wanted) {
    List<NewPair> newPairs = wanted.stream().map(pair -> new NewPair(pair.account(), pair.nameId())).toList();
    return pairs.apply(realm).addAll(realm, idp, newPairs).stream().map(PairedAccountLinks::linking).toList();
  }

  @Override
  public Linking change(String realm, String idp, String nameId, String newNameId) {
    return linking(pairs.apply(realm).rename(realm, idp, nameId, newNameId));
  }

  @Override
  public Optional<AccountLink> provide(String realm, String idp, String nameId, Optional<String> spProvidedId) {
    return pairs.apply(realm).provide(realm, idp, nameId, spProvidedId).map(PairedAccountLinks::link);
  }

  @Override
  public Optional<AccountLink> unlink(String realm, String idp, String nameId) {
    return pairs.apply(realm).remove(realm, idp, nameId).map(PairedAccountLinks::link);
  }

  @Override
  public List<AccountLink> page(String realm, String idp, String after, int limit) {
    return pairs.apply(realm).page(realm, idp, after, limit).stream().map(PairedAccountLinks::link).toList();
  }

  private static Linking linking(AddResult added) {
    return switch (added) {
      case AddResult.Added(NamePair pair, boolean isNew) -> new Linking.Linked(link(pair), isNew);
      case AddResult.PersonTaken(NamePair present) -> new Linking.AccountTaken(link(present));
      case AddResult.NameTaken() -> new Linking.NameTaken();
      case AddResult.Absent() -> new Linking.Unknown();
    };
  }

  private static AccountLink link(NamePair pair) {
    return new AccountLink(pair.partner(), pair.name(), pair.person(), pair.spProvidedId(), pair.since());
  }
}
