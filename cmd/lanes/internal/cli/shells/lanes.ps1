# Completion of lanes in PowerShell: run this file in $PROFILE.
Register-ArgumentCompleter -Native -CommandName lanes -ScriptBlock {
    param($typed, $line, $cursor)
    $words = @($line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { "$_" })
    if ($typed -eq '') { $words += '""' }
    $rest = @($words | Select-Object -Skip 1)
    $lines = @(& $words[0] __complete @rest 2> $null)
    $lines | Select-Object -SkipLast 1 | ForEach-Object {
        $word, $about = $_ -split "`t", 2
        if (-not $about) { $about = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
}
