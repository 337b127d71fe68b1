// Package storetest holds the laws of a seed list: what every implementation of
// [seedlist.List] must do. The test of an implementation calls [Run].
//
// A list that has a method Audit() []string, which says what is wrong within, is asked
// for it after the steps of a law.
package storetest

import (
	"testing"

	"laundromat/seedlist"
)

// Opener makes an empty list for one test. It ensures that the list is closed at the
// end of the test. A second Close must do no harm.
type Opener func(t testing.TB, options seedlist.Options) seedlist.List

// laws is every law, by its name.
var laws = []struct {
	name string
	hold func(t *testing.T, open Opener)
}{
	{"SeedsAreAddedOnce", seedsAreAddedOnce},
	{"RelativeSeedsAreNeverClaimed", relativeSeedsAreNeverClaimed},
	{"AWholeLifeLeadsToTheEnd", aWholeLifeLeadsToTheEnd},
	{"PrioritiesMayComeAtAnyTime", prioritiesMayComeAtAnyTime},
	{"SettingsChangeWhenASeedIsDue", settingsChangeWhenASeedIsDue},
	{"WhatCantBeSetIsSaid", whatCantBeSetIsSaid},
	{"AConditionIsOfTheTransactionThatWrites", aConditionIsOfTheTransactionThatWrites},
	{"AStoppedCallerLeavesNothingBehind", aStoppedCallerLeavesNothingBehind},
	{"AClosedListRefusesAll", aClosedListRefusesAll},

	{"LateCompletionIsRefused", lateCompletionIsRefused},
	{"WhatIsGivenBackKeepsItsPlaceAndItsTries", whatIsGivenBackKeepsItsPlaceAndItsTries},
	{"ARetryEndsAWait", aRetryEndsAWait},
	{"SeedsAreFetchedAgainAfterTheirInterval", seedsAreFetchedAgainAfterTheirInterval},
	{"WaitIsWokenByWhatBecomesReady", waitIsWokenByWhatBecomesReady},
	{"WhatIsDueFirstComesFirst", whatIsDueFirstComesFirst},

	{"NoSeedIsClaimedTwice", noSeedIsClaimedTwice},
	{"NoOutcomeButThoseOfTheTable", noOutcomeButThoseOfTheTable},
	{"EveryStateCanBeLeftOnlyAsTheDesignSays", everyStateCanBeLeftOnlyAsTheDesignSays},
	{"UnchangedLeadsToTheLastFinalState", unchangedLeadsToTheLastFinalState},
	{"CountsAreWhatAScanFinds", countsAreWhatAScanFinds},
	{"PagesCountUnderEachSyntax", pagesCountUnderEachSyntax},
	{"WhatIsServedChangesOnlyByAGoodWash", whatIsServedChangesOnlyByAGoodWash},

	{"EachTransactionTellsWhatItChanged", eachTransactionTellsWhatItChanged},
	{"AChangeIsToldOnceAndInOrder", aChangeIsToldOnceAndInOrder},
	{"ALateReaderIsTold", aLateReaderIsTold},
	{"ADueTimeThatPassesIsNoChange", aDueTimeThatPassesIsNoChange},
	{"WhatStaysTheSameIsNotTold", whatStaysTheSameIsNotTold},
	{"WhatATransactionChangesIsToldByAge", whatATransactionChangesIsToldByAge},
	{"WhatIsWashedIsSummedByTime", whatIsWashedIsSummedByTime},

	{"StagesCompletedTogetherAreStagesCompletedOneByOne", stagesCompletedTogetherAreStagesCompletedOneByOne},
	{"ALostClaimCompletesNothingOfWhatFollowed", aLostClaimCompletesNothingOfWhatFollowed},
	{"ARestedHostIsFreeWhileTheWorkGoesOn", aRestedHostIsFreeWhileTheWorkGoesOn},

	{"ContextsAreKeptUnderTheirIRI", contextsAreKeptUnderTheirIRI},
	{"AllContextsAreMetOnce", allContextsAreMetOnce},
	{"AContextIsEditedByOneAtATime", aContextIsEditedByOneAtATime},
	{"RecipesStayInTheirOrder", recipesStayInTheirOrder},
	{"ARecipeLeadsToPages", aRecipeLeadsToPages},
	{"ARecipeLeadsToNoMorePagesThanItMay", aRecipeLeadsToNoMorePagesThanItMay},
	{"RecipesThatNoListKeepsAreRefused", recipesThatNoListKeepsAreRefused},
	{"AFormIsKeptAfterItsRecipeChanged", aFormIsKeptAfterItsRecipeChanged},
	{"RecipesAreEditedByOneAtATime", recipesAreEditedByOneAtATime},

	{"HostsTakeTurns", hostsTakeTurns},
	{"HostsHaveTheirTurnsInTheOrderInWhichTheyCame", hostsHaveTheirTurnsInTheOrderInWhichTheyCame},
	{"WhatComesDueWaitsForItsHost", whatComesDueWaitsForItsHost},
	{"AHostIsAskedUntilTheWorkOnItEnds", aHostIsAskedUntilTheWorkOnItEnds},
	{"AHostsSeedsComeByPriorityDueAndAge", aHostsSeedsComeByPriorityDueAndAge},
	{"OneHostMayHaveSeveralConnections", oneHostMayHaveSeveralConnections},
	{"APausedHostIsNotAsked", aPausedHostIsNotAsked},
	{"WhatPeopleHoldIsNotClaimed", whatPeopleHoldIsNotClaimed},
	{"WhatPeopleHoldIsAtRest", whatPeopleHoldIsAtRest},
	{"AHostThatTurnedIsAskedForOneDocument", aHostThatTurnedIsAskedForOneDocument},
	{"AHostHasItsOwnConnectionsAndDelay", aHostHasItsOwnConnectionsAndDelay},
	{"WhatWaitsIsSaid", whatWaitsIsSaid},
	{"AHostWithTooMuchToDoIsAskedLessOften", aHostWithTooMuchToDoIsAskedLessOften},

	{"AnArchiveDepletedAgainFilesOnlyWhatChanged", anArchiveDepletedAgainFilesOnlyWhatChanged},
	{"ChildrenMayBeFiledInParts", childrenMayBeFiledInParts},
	{"AStaleChildIsFiledAgain", aStaleChildIsFiledAgain},
	{"AChildBeginsAgainBeforeTheStageThatFailed", aChildBeginsAgainBeforeTheStageThatFailed},
	{"WhatIsRewashedBeginsWithItsStoredBytes", whatIsRewashedBeginsWithItsStoredBytes},
	{"WhatIsNotKeptIsTakenOffTheList", whatIsNotKeptIsTakenOffTheList},
	{"AForcedFetchIsForcedUntilBytesCame", aForcedFetchIsForcedUntilBytesCame},
	{"AMarkedMemberIsFiledWithItsArchive", aMarkedMemberIsFiledWithItsArchive},
	{"WhatIsAskedOfAnArchiveIsAskedOfItsEntries", whatIsAskedOfAnArchiveIsAskedOfItsEntries},
	{"WhatCantBeWashedAgainIsSaid", whatCantBeWashedAgainIsSaid},
	{"EveryStateCanBeWashedAgainOnlyAsTheDesignSays", everyStateCanBeWashedAgainOnlyAsTheDesignSays},
	{"RemovalTakesAllThatIsBelow", removalTakesAllThatIsBelow},
	{"RecordIsTheSeedWithoutItsLinks", recordIsTheSeedWithoutItsLinks},

	{"OneCleanFileIsSharedAndGoesWithItsLast", oneCleanFileIsSharedAndGoesWithItsLast},
	{"ACleanFileIsSharedOnlyIfItsBytesAreEqual", aCleanFileIsSharedOnlyIfItsBytesAreEqual},
	{"OrphansHaveNoRecord", orphansHaveNoRecord},
	{"AlikeAreThoseWhoseWashHoldsForAnyURI", alikeAreThoseWhoseWashHoldsForAnyURI},
	{"TheIntervalFollowsWhatBecomesOfASeed", theIntervalFollowsWhatBecomesOfASeed},
	{"AFailureIsTriedAgainAfterPausesThatDouble", aFailureIsTriedAgainAfterPausesThatDouble},
	{"FailuresInARowAreAllCounted", failuresInARowAreAllCounted},

	{"NamesInADocumentAreOneSeedToClaim", namesInADocumentAreOneSeedToClaim},
	{"NamesInDocumentsAtRandom", namesInDocumentsAtRandom},
	{"ADocumentMayNameItself", aDocumentMayNameItself},
	{"RetryOfANameIsOneOfItsDocument", retryOfANameIsOneOfItsDocument},
	{"IdentifiersOf2018LeadToTheSeed", identifiersOf2018LeadToTheSeed},

	{"VanishedEntriesAreMarkedAndKept", vanishedEntriesAreMarkedAndKept},
	{"AHarvestThatNamesFarLessMarksNothing", aHarvestThatNamesFarLessMarksNothing},
	{"LateHarvestIsRefused", lateHarvestIsRefused},
	{"ASeedIsGoneWhenNoCatalogNamesIt", aSeedIsGoneWhenNoCatalogNamesIt},
	{"HarvestIsAnAttempt", harvestIsAnAttempt},
	{"ClaimThatSpeaksOfOtherBytesFetchesAgain", claimThatSpeaksOfOtherBytesFetchesAgain},
	{"OfWhatACatalogNamesTwiceTheFirstSpeaks", ofWhatACatalogNamesTwiceTheFirstSpeaks},
	{"CatalogsAreListedAndFollowed", catalogsAreListedAndFollowed},
	{"NoCursorLeadsToNothing", noCursorLeadsToNothing},
	{"MembersAreListedByTheirRoot", membersAreListedByTheirRoot},

	{"WhatIsNotKnownIsAbsentAndWhatIsKnownIsWritten", whatIsNotKnownIsAbsentAndWhatIsKnownIsWritten},
	{"ARecordComesBackAsItWasStored", aRecordComesBackAsItWasStored},
	{"FunctionsOfTheCallerHoldNobodyUp", functionsOfTheCallerHoldNobodyUp},
	{"NothingIsSharedWithTheCaller", nothingIsSharedWithTheCaller},
	{"AttemptsAreWrittenWithTheirKeys", attemptsAreWrittenWithTheirKeys},
	{"PasswordsAreRequestedButNotWrittenOut", passwordsAreRequestedButNotWrittenOut},
	{"ListsAreFilteredAndGoOn", listsAreFilteredAndGoOn},
	{"MistakesOfTheCallerChangeNothing", mistakesOfTheCallerChangeNothing},
	{"RowsGoOnAfterTheLast", rowsGoOnAfterTheLast},
	{"OnlyFiltersOfAChildsArchiveAreTheWorkersToSay", onlyFiltersOfAChildsArchiveAreTheWorkersToSay},
}

// Run holds lists against every law, each as a subtest of its name. Downloads need not
// be polite unless the law says so.
func Run(t *testing.T, open Opener) {
	impolite := func(t testing.TB, options seedlist.Options) seedlist.List {
		t.Helper()
		if options.HostConnections == 0 && options.HostDelay == 0 {
			options.HostConnections, options.HostDelay = 1<<20, -1
		}
		return open(t, options)
	}
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) { law.hold(t, impolite) })
	}
}
